#pragma once
/// Searches by the shape of types: the full-text index names the statements that may fit a pattern, which are
/// then matched.

#include "index/store/store.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::index {

struct PatternMatches {
  std::vector<Match> found;  ///< in no order
  bool bounded = false;      ///< not all that might fit was compared
};

/// What fits all patterns of the lookup; `users` counts the users of a name. Throws Failure.
PatternMatches search_patterns(const std::vector<std::shared_ptr<Store>>& stores, const Lookup& lookup,
                               const Filter& filter,
                               const std::function<std::size_t(const std::string&)>& users,
                               const std::function<std::size_t(const std::string&)>& documents_with);

}  // namespace leanbridge::index
