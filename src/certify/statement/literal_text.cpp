#include "literal_text.hpp"

#include "core/text/untrusted.hpp"
#include "core/text/utf8.hpp"
#include <utf8.h>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace leanbridge::statement {

std::optional<std::string> decimal(std::string_view bytes, std::size_t most) {
  while (!bytes.empty() && bytes.back() == '\0') bytes.remove_suffix(1);
  // A byte has more than two digits.
  if (bytes.size() > most / 2 + 1) return std::nullopt;
  constexpr std::uint32_t kBase = 1'000'000'000;
  std::vector<std::uint32_t> digits = {0};  // nine digits each, the lowest first
  for (std::size_t i = bytes.size(); i > 0; --i) {
    std::uint64_t carry = static_cast<unsigned char>(bytes[i - 1]);
    for (std::uint32_t& digit : digits) {
      carry += std::uint64_t{digit} << 8U;
      digit = static_cast<std::uint32_t>(carry % kBase);
      carry /= kBase;
    }
    if (carry != 0) digits.push_back(static_cast<std::uint32_t>(carry));
  }
  std::string text = std::to_string(digits.back());
  for (std::size_t i = digits.size() - 1; i > 0; --i) {
    const std::string part = std::to_string(digits[i - 1]);
    text.append(9 - part.size(), '0').append(part);
  }
  if (text.size() > most) return std::nullopt;
  return text;
}

std::string string_literal(std::string_view text) {
  std::string literal = "\"";
  const std::string valid = text::replace_invalid(text);
  for (const char *at = valid.data(), *end = at + valid.size(); at != end;) {
    const char* const start = at;
    const char32_t point = utf8::unchecked::next(at);
    const std::string_view bytes(start, static_cast<std::size_t>(at - start));
    if (point == '"' || point == '\\') {
      literal.append("\\").append(bytes);
    } else if (point == '\n') {
      literal += "\\n";
    } else if (point == '\t') {
      literal += "\\t";
    } else if (text::escaped(bytes) != bytes && point <= 0xFFFF) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(point));
      literal += code;
    } else {
      literal.append(bytes);
    }
  }
  return literal + "\"";
}

}  // namespace leanbridge::statement
