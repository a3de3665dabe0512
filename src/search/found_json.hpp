#pragma once
/// An answer as the cache keeps it. Private to this module.

#include "leanbridge/search/backend.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace leanbridge::search {

nlohmann::json to_json(const Found& found);
/// nullopt for what is none: another version has written it, or nobody of ours.
std::optional<Found> found_from_json(const nlohmann::json& value);

}  // namespace leanbridge::search
