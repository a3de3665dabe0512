#pragma once
/// Replacing whole lines of a file as it is on disk: every byte outside the lines stays, and the new lines
/// get the file's line ending.

#include "leanbridge/base/error.hpp"

#include <string>
#include <string_view>

namespace leanbridge::text {

struct NormalisedText {
  std::string text;
  bool had_crlf = false;     ///< at least one `\r\n` was turned into `\n`
  bool had_lone_lf = false;  ///< at least one `\n` had no `\r` before it; with had_crlf: the file was mixed
};

/// Every `\r\n` becomes `\n`; a lone `\r` stays. A text without `\r` is moved through, not copied.
NormalisedText normalise_newlines(std::string text);

/// Every `\n` that has no `\r` before it becomes `\r\n`.
std::string to_crlf(std::string_view text);

struct LineReplacement {
  std::string content;     ///< of the whole file
  int first_line = 1;      ///< 1-based, in the new content
  int new_line_count = 0;  ///< lines from there on that are new
  int old_line_count = 0;  ///< lines that they replace
};

/// Replaces the 1-based lines start_line..end_line of `content` by the lines of `new_text` (its own line
/// endings and a final one count for nothing). `end_line == start_line - 1` inserts before start_line, which
/// may be one past the last line; an empty `new_text` removes. The content ends with a newline afterwards if
/// and only if it did before; one without any line ending gets `\n`. InvalidArgument, with the line count,
/// where there are no such lines.
Result<LineReplacement> replace_lines(std::string_view content, int start_line, int end_line,
                                      std::string_view new_text, std::string_view file_name);

}  // namespace leanbridge::text
