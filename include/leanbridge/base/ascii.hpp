#pragma once
/// ASCII in texts of protocols and terminals.

#include <cstddef>
#include <string>
#include <string_view>

namespace leanbridge {

/// In lower case; what is no letter of ASCII stays, whatever the locale.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// Without the white space around it.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Where the sequence of a terminal ends whose ESC is at `escape`: behind the final letter of `ESC [ ...`;
/// any other is taken to be the ESC alone, without which it is harmless.
inline std::size_t end_of_sequence(std::string_view text, std::size_t escape) {
  std::size_t at = escape + 1;
  if (at == text.size() || text[at] != '[') return at;
  for (++at; at < text.size() && (text[at] < '@' || text[at] > '~');) ++at;
  return at < text.size() ? at + 1 : at;
}

}  // namespace leanbridge
