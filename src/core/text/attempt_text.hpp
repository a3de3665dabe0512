#pragma once
/// The text for trying a tactic: a file up to some place, then the tactic, and nothing after it. Lean keeps
/// its work up to the first difference, so only the tactic is new each time.

#include <cstddef>
#include <string>
#include <string_view>

namespace leanbridge::text {

struct AttemptText {
  std::string text;
  std::size_t declaration = 0;    ///< byte offset of the start of the enclosing declaration
  std::size_t snippet_start = 0;  ///< byte offset of the first byte of the snippet
  std::size_t snippet_end = 0;    ///< byte offset just after its last non-blank byte
  /// Byte offsets on the blank line after it. In the column of the snippet, Lean shows the goals left in the
  /// block that the snippet belongs to; in the first column, those left of the whole proof.
  std::size_t block_goals = 0;
  std::size_t proof_goals = 0;
  /// Byte offset from which messages are no longer about the snippet: of what follows it in the term around
  /// it, or `declaration_end`.
  std::size_t own_end = 0;
  /// Byte offset just after the declaration: where the rest of its `mutual` block begins, or the size of the
  /// text.
  std::size_t declaration_end = 0;
};

/// Puts `snippet` at the byte `offset` of `source` and drops the rest. The first line of the snippet begins
/// at the offset; the others keep their indentation relative to it. `closing` ends the declaration; if it is
/// empty, brackets that the declaration opened before the offset are closed. `rest` is the text to put after
/// the declaration (rest_of_block()).
AttemptText attempt_text(std::string_view source, std::size_t offset, std::string_view snippet,
                         std::string_view closing = {}, std::string_view rest = {});
/// The closing brackets for those that are open at the end of `source`, innermost first.
std::string closing_brackets(std::string_view source);

/// The place where an attempt on the 1-based `line` goes if no column is given: at the first non-blank
/// character; at the end of a line of blanks; on an empty line below the previous line's indentation (two
/// deeper after `by`, `=>` and the like). Put `padding` spaces before the snippet.
struct AttemptPlace {
  std::size_t offset = 0;
  std::size_t padding = 0;
};
class Text;
AttemptPlace attempt_place(const Text& text, int line);

}  // namespace leanbridge::text
