#pragma once
/// ASCII text of protocols and terminals.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace leanbridge {

/// Lower-cases the ASCII letters, whatever the locale; other bytes stay.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// The bytes of a digest or the like, given as any range of characters, as lower-case hexadecimal digits.
template <class Bytes>
std::string hexadecimal(const Bytes& bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  for (const auto character : bytes) {
    const auto byte = static_cast<unsigned char>(character);
    digits += kDigits[byte >> 4U];
    digits += kDigits[byte & 0xFU];
  }
  return digits;
}

/// The text without leading and trailing white space.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// The end of the terminal escape sequence whose ESC is at `escape`: just after the final letter of `ESC [
/// ...`. Any other sequence ends just after the ESC: the rest is harmless without it.
inline std::size_t end_of_escape_sequence(std::string_view text, std::size_t escape) {
  std::size_t at = escape + 1;
  if (at == text.size() || text[at] != '[') return at;
  for (++at; at < text.size() && (text[at] < '@' || text[at] > '~');) ++at;
  return at < text.size() ? at + 1 : at;
}

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
