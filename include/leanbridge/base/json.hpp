#pragma once
/// Reading JSON that somebody else has written, where any member may be missing or of another type.

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

// Once, in src/base/json.cpp, rather than in every file.
extern template class nlohmann::basic_json<>;

namespace leanbridge {

/// Deeper values are refused: copying, comparing and dumping a json recurses, and the depth is the writer's
/// choice.
inline constexpr std::size_t kMaxJsonNesting = 512;

/// Does the text open more than `limit` brackets at once? Exact for JSON without comments; for anything else
/// right up to the place where the parser stops. To be asked before parsing, since the parser builds its
/// value whatever the depth.
bool nests_deeper_than(std::string_view text, std::size_t limit);

/// The value; discarded (json::is_discarded) where the text is no JSON, or nested deeper than
/// kMaxJsonNesting. Never throws on bad input.
nlohmann::json read_json(std::string_view text);

/// The text of a member; "" for what is no object, or has no such text.
inline std::string text_member(const nlohmann::json& object, const char* name) {
  if (!object.is_object()) return "";
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Whether a member is true; what is no boolean is not.
inline bool is_true(const nlohmann::json& object, const char* name) {
  if (!object.is_object()) return false;
  const auto found = object.find(name);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

}  // namespace leanbridge
