#pragma once
/// The two kinds of positions that cross our boundaries; inside, positions are byte offsets (std::size_t).
/// Conversions need the text, see text.hpp.

#include <compare>
#include <cstdint>

namespace leanbridge::text {

/// The position that agents read and write: both 1-based, the column in Unicode code points. The column just
/// past the last character of a line is valid, too. Values come from outside and may be out of range. Lean's
/// own positions (`lean --json`, `lake build`) have the same line, and a column smaller by one.
struct Position {
  int line = 1;
  int column = 1;

  friend auto operator<=>(const Position&, const Position&) = default;
};

/// The position of LSP: both 0-based, the character in UTF-16 code units (Lean negotiates no other encoding).
struct LspPosition {
  std::uint32_t line = 0;
  std::uint32_t character = 0;

  friend auto operator<=>(const LspPosition&, const LspPosition&) = default;
};

/// Half-open: `end` is the first position after the range.
struct LspRange {
  LspPosition start;
  LspPosition end;

  friend bool operator==(const LspRange&, const LspRange&) = default;
};

}  // namespace leanbridge::text
