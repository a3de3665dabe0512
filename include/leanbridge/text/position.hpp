#pragma once
/// The two ways to name a place in a file that cross our boundaries. Conversions need the text: see text.hpp.
/// The third one, used inside, is a byte offset (std::size_t).

#include <compare>
#include <cstdint>

namespace leanbridge::text {

/// What an agent says and reads: both 1-based, the column in Unicode code points. The column one past the
/// last character of the line is a position, too. Values come from outside: nothing is guaranteed about their
/// range. Lean's own positions (`lean --json`, `lake build`) have the same line and a column smaller by one.
struct Position {
  int line = 1;
  int column = 1;

  friend auto operator<=>(const Position&, const Position&) = default;
};

/// What goes over LSP: both 0-based, the character in UTF-16 code units (Lean negotiates no other encoding).
struct LspPosition {
  std::uint32_t line = 0;
  std::uint32_t character = 0;

  friend auto operator<=>(const LspPosition&, const LspPosition&) = default;
};

/// Half-open: `end` is the first position that does not belong to the range.
struct LspRange {
  LspPosition start;
  LspPosition end;

  friend bool operator==(const LspRange&, const LspRange&) = default;
};

}  // namespace leanbridge::text
