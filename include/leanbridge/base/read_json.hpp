#pragma once
/// JSON that somebody else has written, as a text.

#include "leanbridge/base/json.hpp"

#include <cstddef>
#include <string_view>

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

}  // namespace leanbridge
