#include "utf8.hpp"

#include <utf8.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace leanbridge::text {
namespace {

std::size_t ascii_prefix(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  std::size_t i = 0;
  for (; i + sizeof(std::uint64_t) <= text.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, sizeof word);
    if ((word & kHighBits) != 0) break;
  }
  while (i < text.size() && static_cast<unsigned char>(text[i]) < 0x80U) ++i;
  return i;
}

/// The number of UTF-16 units for which a byte stands: none for a continuation byte, two for the first byte
/// of four.
std::size_t utf16_units_at(char byte) {
  if (is_continuation_byte(byte)) return 0;
  return static_cast<unsigned char>(byte) >= 0xF0U ? 2 : 1;
}

}  // namespace

std::optional<std::size_t> first_invalid_byte(std::string_view text) {
  const std::size_t ascii = ascii_prefix(text);
  if (ascii == text.size()) return std::nullopt;
  const char* bad = utf8::find_invalid(text.data() + ascii, text.data() + text.size());
  const auto offset = static_cast<std::size_t>(bad - text.data());
  if (offset == text.size()) return std::nullopt;
  return offset;
}

std::string replace_invalid(std::string_view text) {
  const std::size_t valid = first_invalid_byte(text).value_or(text.size());
  std::string out(text.substr(0, valid));
  utf8::replace_invalid(text.begin() + valid, text.end(), std::back_inserter(out), 0xFFFD);
  return out;
}

std::string without_struck_letters(std::string_view text) {
  constexpr std::string_view kStruck = "\u0335", kUnderlined = "\u0332";
  // Nearly all messages have no marks, and some have megabytes.
  if (text.find(kStruck) == text.npos && text.find(kUnderlined) == text.npos) return std::string(text);
  std::string kept;
  kept.reserve(text.size());
  while (!text.empty()) {
    if (text.starts_with(kStruck)) {
      while (!kept.empty() && is_continuation_byte(kept.back())) kept.pop_back();
      if (!kept.empty()) kept.pop_back();
      text.remove_prefix(kStruck.size());
    } else if (text.starts_with(kUnderlined)) {
      text.remove_prefix(kUnderlined.size());
    } else {
      kept += text.front();
      text.remove_prefix(1);
    }
  }
  return kept;
}

std::size_t count_code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !is_continuation_byte(c); }));
}

std::size_t count_utf16_units(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) units += utf16_units_at(c);  // branch-free, so that the compiler vectorises it
  return units;
}

std::size_t byte_of_code_point(std::string_view text, std::size_t count) {
  const std::size_t ascii = ascii_prefix(text.substr(0, count));
  if (ascii == count) return count;
  count -= ascii;
  for (std::size_t i = ascii; i < text.size(); ++i) {
    if (is_continuation_byte(text[i])) continue;
    if (count == 0) return i;
    --count;
  }
  return text.size();
}

std::size_t byte_of_utf16_unit(std::string_view text, std::size_t units) {
  const std::size_t ascii = ascii_prefix(text.substr(0, units));
  if (ascii == units) return units;
  units -= ascii;
  for (std::size_t i = ascii; i < text.size(); ++i) {
    const std::size_t width = utf16_units_at(text[i]);
    if (width > units) return i;
    units -= width;
    if (units == 0 && width > 0) {  // the next code point, if any, contains the unit
      ++i;
      while (i < text.size() && is_continuation_byte(text[i])) ++i;
      return i;
    }
  }
  return text.size();
}

std::size_t code_point_start(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return text.size();
  while (offset > 0 && is_continuation_byte(text[offset])) --offset;
  return offset;
}

std::string_view beginning_of(std::string_view text, std::size_t bytes) {
  return text.substr(0, code_point_start(text, bytes));
}

}  // namespace leanbridge::text
