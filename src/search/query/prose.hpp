#pragma once
/// Reads mathematical prose: operations, laws and types, by the words for them.

#include "leanbridge/search/query.hpp"

#include <string_view>

namespace leanbridge::search {

/// Needs two things that Lean's names are made of, such as an operation and a law; else all is empty.
ProseForms prose_forms(std::string_view text);

}  // namespace leanbridge::search
