#pragma once
/// Line endings, and replacing whole lines of a file as it is on disk. The text that is sent to Lean has only
/// `\n`: Lean converts a file when it opens it, and its offsets are those of the converted text.

#include "core/base/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct NormalisedText {
  std::string text;
  bool had_crlf = false;     ///< at least one `\r\n` became `\n`
  bool had_lone_lf = false;  ///< at least one `\n` had no `\r` before it; if both are set, the endings were
                             ///< mixed
};

/// Turns every `\r\n` into `\n`; a lone `\r` stays. A text without `\r` is moved, not copied.
NormalisedText normalise_newlines(std::string text);

/// The 1-based line of a byte; a text ends on its last line.
int line_number(std::string_view text, std::size_t offset);

/// Views of the text's lines; a final `\n` begins no further line.
std::vector<std::string_view> lines_with_endings(std::string_view content);

/// The text, whose lines end with `\n`, with the line endings of `bytes`, the version before. A line that is
/// unchanged, or replaces an old one, keeps the old line's ending; a new line gets the most frequent ending.
std::string with_line_endings_of(std::string_view bytes, std::string_view text);

struct LineReplacement {
  std::string content;     ///< of the whole file
  int first_line = 1;      ///< 1-based, in the new content
  int new_line_count = 0;  ///< number of new lines from there on
  int old_line_count = 0;  ///< number of lines that they replace
};

/// Replaces the 1-based lines start_line..end_line of `content` by the lines of `new_text`; every other byte
/// stays. `end_line == start_line - 1` inserts before start_line, which may be one past the last line; an
/// empty `new_text` removes the lines. New lines get the most frequent line ending, `\n` if there is none,
/// whatever endings `new_text` has. The result ends with a newline if and only if `content` did.
/// InvalidArgument, with the line count, if there are no such lines.
Result<LineReplacement> replace_lines(std::string_view content, int start_line, int end_line,
                                      std::string_view new_text, std::string_view file_name);

/// The 1-based lines first..last of `content` as they are, with `\n` between them, for messages. Lines that
/// do not exist are left out; a long text is cut at its end and marked.
std::string shown_lines(std::string_view content, int first, int last);

}  // namespace leanbridge::text
