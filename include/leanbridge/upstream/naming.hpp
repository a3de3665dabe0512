#pragma once
/// Names under which the tools and prompts of other servers are offered: `<server>__<tool>`, of characters
/// that every model API takes, and short enough with the host's own prefix. They depend on the two names
/// alone, not on what else there is: permissions and prompt caches refer to them.

#include <cstddef>
#include <string>
#include <string_view>

namespace leanbridge::upstream {

/// Model APIs take `[A-Za-z0-9_-]{1,64}`, and hosts put `mcp__<name of this server>__` before.
inline constexpr std::size_t kLongestForModels = 64;
inline constexpr std::string_view kHostPrefix = "mcp__leanbridge__";
inline constexpr std::size_t kLongestName = kLongestForModels - kHostPrefix.size();
inline constexpr std::size_t kLongestServerPart = 20;

/// The server's part of a name: no `__` inside and no `_` at its ends, so that the first `__` of a name ends
/// it. What had to be changed for that gets a hash of the whole name as its end, so two servers never share
/// it (but for a collision of 32 bits).
std::string server_part(std::string_view server);

/// `<server>__<item>`. An item with illegal characters, or too long a name, gets a hash as its end likewise.
std::string offered_name(std::string_view server, std::string_view item);

/// 8 hexadecimal digits, the same in all versions: 32 bits of FNV-1a.
std::string stable_hash(std::string_view text);

}  // namespace leanbridge::upstream
