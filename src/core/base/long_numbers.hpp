#pragma once
/// Numbers that are too long to be repeated.

#include <algorithm>
#include <string>

namespace leanbridge {

/// The text with each run of more than 40 digits replaced by how many they are.
inline std::string without_long_numbers(std::string text) {
  constexpr std::size_t kMaxDigits = 40;
  constexpr const char* kDigits = "0123456789";
  for (std::size_t at = 0; (at = text.find_first_of(kDigits, at)) != std::string::npos;) {
    const std::size_t count = std::min(text.find_first_not_of(kDigits, at), text.size()) - at;
    const std::string said = "[a number of " + std::to_string(count) + " digits]";
    if (count > kMaxDigits) text.replace(at, count, said);
    at += count > kMaxDigits ? said.size() : count;
  }
  return text;
}

}  // namespace leanbridge
