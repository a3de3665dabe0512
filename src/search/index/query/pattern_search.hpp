#pragma once
/// Searches by the shape of types: the full-text index finds the statements that may fit a pattern, and these
/// are then matched.

#include "search/index/store/store.hpp"

namespace leanbridge::index {

/// The declarations that fit all patterns of the lookup, unordered. `users` counts the users of a name.
/// Throws Failure.
Matches search_patterns(const Stores& stores, const Lookup& lookup, const Filter& filter, const Count& users,
                        const Count& documents_with);

}  // namespace leanbridge::index
