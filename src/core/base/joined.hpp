#pragma once
/// Lists in a sentence.

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace leanbridge {

/// "a, b, c", of anything that fmt can print.
template <class Items>
std::string joined(const Items& items, std::string_view between = ", ") {
  return fmt::format("{}", fmt::join(items, between));
}

/// Adds a word to such a list.
inline void join(std::string& list, std::string_view word, std::string_view between = ", ") {
  if (!list.empty()) list += between;
  list += word;
}

}  // namespace leanbridge
