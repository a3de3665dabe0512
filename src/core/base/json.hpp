#pragma once
/// Reads JSON from outside, where any member may be missing or have another type.

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

// Instantiated once, in src/core/base/json.cpp, rather than in every file.
extern template class nlohmann::basic_json<>;

namespace leanbridge {

/// Deeper values are refused: copying, comparing and dumping recurse as deep as the sender chooses.
inline constexpr std::size_t kMaxJsonNesting = 512;

/// Whether the text ever has more than `limit` brackets open. Exact for JSON without comments; in other text,
/// up to where the parser would stop. Call it before parsing: the parser builds its value whatever the depth.
bool nests_deeper_than(std::string_view text, std::size_t limit);

/// Parses the text. The value is discarded (json::is_discarded) if the text is not JSON or is nested deeper
/// than kMaxJsonNesting. Never throws on bad input.
nlohmann::json read_json(std::string_view text);

/// A member, as long as `object` lives; null if that is not an object or has no such member.
const nlohmann::json& member(const nlohmann::json& object, std::string_view name);
const nlohmann::json& member(const nlohmann::json&& object, std::string_view name) = delete;

/// A string member; "" if `object` is not an object or has no such string.
inline std::string text_member(const nlohmann::json& object, std::string_view name) {
  const nlohmann::json& found = member(object, name);
  return found.is_string() ? found.get<std::string>() : "";
}

/// Whether a member is the boolean true.
inline bool is_true(const nlohmann::json& object, std::string_view name) {
  const nlohmann::json& found = member(object, name);
  return found.is_boolean() && found.get<bool>();
}

}  // namespace leanbridge
