#pragma once
/// Numbers with their nouns.

#include <cstddef>
#include <string>
#include <string_view>

namespace leanbridge {

/// "1 file", "2 files"; `more` where an s does not make the plural: "2 entries".
inline std::string counted(std::size_t count, std::string_view one, std::string_view more = {}) {
  const std::string noun(count == 1 || more.empty() ? one : more);
  return std::to_string(count) + " " + noun + (count != 1 && more.empty() ? "s" : "");
}

}  // namespace leanbridge
