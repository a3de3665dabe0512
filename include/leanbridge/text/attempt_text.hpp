#pragma once
/// The text in which a tactic is tried: a file up to a place, the tactic, and nothing after it. Lean keeps
/// what it has elaborated before the first difference, so only the tactic itself is new to it each time.

#include <cstddef>
#include <string>
#include <string_view>

namespace leanbridge::text {

struct AttemptText {
  std::string text;
  std::size_t declaration = 0;    ///< byte offset where the declaration around the place begins
  std::size_t snippet_start = 0;  ///< byte offset of the first byte of the snippet
  std::size_t snippet_end = 0;    ///< byte offset just after its last byte that is not blank
};

/// Puts `snippet` at the byte `offset` of `source`, whose rest is left out. Its first line begins at the
/// offset; the others are indented so that they keep their place relative to the first. Brackets that the
/// declaration has opened before the place are closed again.
AttemptText attempt_text(std::string_view source, std::size_t offset, std::string_view snippet);

/// Where an attempt in the 1-based line `line` goes when no column is given: at its first character that is
/// not blank; in a blank line at its end, or, where that is empty, below the line before it (two deeper after
/// `by`, `=>` and the like).
/// `padding` spaces have to be put before the snippet.
struct AttemptPlace {
  std::size_t offset = 0;
  std::size_t padding = 0;
};
class Text;
AttemptPlace attempt_place(const Text& text, int line);

}  // namespace leanbridge::text
