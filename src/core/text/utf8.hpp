#pragma once
/// UTF-8 checks and counts. Pure functions, callable from any thread; none throws on bad input. On invalid
/// UTF-8 the counting functions count every byte that is not a continuation byte (10xxxxxx); validate first
/// with first_invalid_byte() where it matters.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::text {

/// True for 10xxxxxx, a byte inside a code point, where no position may point.
constexpr bool is_continuation_byte(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// The byte offset of the first sequence that is not well-formed UTF-8 (this includes surrogates and overlong
/// forms); nullopt if the whole text is valid.
std::optional<std::size_t> first_invalid_byte(std::string_view text);

/// The text with every ill-formed sequence replaced by U+FFFD.
std::string replace_invalid(std::string_view text);

/// The new text in a replacement that Lean shows in one line, with letters struck (U+0335) and underlined
/// (U+0332): drops the struck letters and all marks. Lean/Meta/Hint.lean makes them.
std::string without_struck_letters(std::string_view text);

/// The number of Unicode code points.
std::size_t count_code_points(std::string_view text);

/// The number of UTF-16 code units, which LSP counts. Code points above U+FFFF are two units.
std::size_t count_utf16_units(std::string_view text);

/// The byte offset of code point number `count` (0-based); text.size() if there are fewer.
std::size_t byte_of_code_point(std::string_view text, std::size_t count);

/// The byte offset of UTF-16 unit number `units` (0-based); text.size() if there are fewer. A count between
/// the two halves of a surrogate pair gives the start of that code point.
std::size_t byte_of_utf16_unit(std::string_view text, std::size_t units);

/// `offset` moved back to the first byte of its code point; text.size() if it is past the end.
std::size_t code_point_start(std::string_view text, std::size_t offset);

/// The longest prefix of whole code points that fits into `bytes` bytes.
std::string_view beginning_of(std::string_view text, std::size_t bytes);

}  // namespace leanbridge::text
