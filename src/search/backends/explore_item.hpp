#pragma once
/// Reads LeanExplore's statements, in both versions.

#include "leanbridge/search/backend.hpp"

#include <nlohmann/json_fwd.hpp>

namespace leanbridge::search {

/// Reads a ResultItem of the first version or a SearchResult of the second, distinguished by their fields.
/// nullopt: neither.
std::optional<ExploreItem> read_explore_item(const nlohmann::json& object);

/// The names in the second version's field `dependencies`: a JSON array, in a string or not.
std::vector<std::string> dependency_names(const nlohmann::json& object);

/// Converts between "Mathlib/Data/Nat/Basic.lean" and "Mathlib.Data.Nat.Basic".
std::string file_of_module(std::string module);
std::string module_of_file(std::string file);
/// The line after "#L" in a source link; 0: none.
std::uint32_t line_in_link(const std::string& link);

}  // namespace leanbridge::search
