#pragma once
/// Reading LeanExplore's statements, of its two versions.

#include "leanbridge/search/backend.hpp"

#include <nlohmann/json_fwd.hpp>

namespace leanbridge::search {

/// A ResultItem of the first version or a SearchResult of the second, told apart by their fields. Nothing
/// where it is neither.
std::optional<ExploreItem> read_explore_item(const nlohmann::json& object);

/// The names in the second version's field `dependencies`: a JSON array, in a string or not.
std::vector<std::string> dependency_names(const nlohmann::json& object);

/// "Mathlib/Data/Nat/Basic.lean" and "Mathlib.Data.Nat.Basic", into each other.
std::string file_of_module(std::string module);
std::string module_of_file(std::string file);
/// What comes after "#L" in a link to a source; 0 where nothing does.
std::uint32_t line_in_link(const std::string& link);

}  // namespace leanbridge::search
