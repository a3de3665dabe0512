#include "leanbridge/text/newlines.hpp"

#include <cstddef>

namespace leanbridge::text {

NormalisedText normalise_newlines(std::string text) {
  NormalisedText result;
  if (text.find('\r') == std::string::npos) {
    result.had_lone_lf = text.find('\n') != std::string::npos;
    result.text = std::move(text);
    return result;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      result.had_crlf = true;
      ++i;  // the `\n` is kept below
    } else if (text[i] == '\n') {
      result.had_lone_lf = true;
    }
    text[kept++] = text[i];
  }
  text.resize(kept);
  result.text = std::move(text);
  return result;
}

std::string to_crlf(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  char previous = '\0';
  for (const char c : text) {
    if (c == '\n' && previous != '\r') out.push_back('\r');
    out.push_back(c);
    previous = c;
  }
  return out;
}

}  // namespace leanbridge::text
