#pragma once
/// The text of a file with its line starts. All conversions between positions happen here.

#include "core/base/error.hpp"
#include "edit.hpp"
#include "position.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

/// Owns a text (which should be valid UTF-8) and knows where its lines start. A value: copyable, used by one
/// thread at a time. Views from line() are valid until the next change of the object.
///
/// Only `\n` ends a line, as in Lean: a lone `\r`, `\v`, `\f`, U+0085 or U+2028 does not. A `\r` just before
/// the `\n` belongs to the line ending, not to the content. `line_count()` is what editors and Read tools
/// show: a final `\n` ends the last line and begins no new one ("a\nb\n" and "a\nb" have 2 lines, "" has 0).
/// LSP and agents can nevertheless address the empty line after a final `\n`: `addressable_lines()` is the
/// number of `\n` plus one (3, 2 and 1 for these texts).
///
/// Line indices in this class are 0-based std::size_t. For Position and LspPosition see position.hpp.
class Text {
 public:
  Text() : Text(std::string()) {}
  explicit Text(std::string content);

  const std::string& str() const { return content_; }
  std::size_t size() const { return content_.size(); }

  int line_count() const;
  std::size_t addressable_lines() const { return line_starts_.size(); }

  /// The content of a line without its line ending; empty if `index` is past the end.
  std::string_view line(std::size_t index) const;
  /// The byte offset where a line begins; size() if `index` is past the end.
  std::size_t line_start(std::size_t index) const;
  /// The byte offset where the content of a line ends (before `\n` or `\r\n`); size() past the last.
  std::size_t line_end(std::size_t index) const;
  /// The index of the line that contains the byte `offset`; a `\n` belongs to the line that it ends. Past the
  /// end: the last line.
  std::size_t line_at(std::size_t offset) const;

  /// Strict conversions, for positions from callers. If the position does not exist: InvalidArgument with the
  /// file's line count or the line's length, and a hint. `file_name` is only for the message.
  Result<std::size_t> offset_of(Position position, std::string_view file_name) const;
  /// Checks that the 1-based line exists, for tools that take only a line. Errors: those of offset_of().
  Result<void> require_line(int line, std::string_view file_name) const;

  /// Lenient conversions, for positions from Lean and for our own offsets: past the end of a line means its
  /// end, past the last line the end of the text, inside a code point its start, inside `\r\n` the end of the
  /// content.
  std::size_t offset_at(LspPosition position) const;
  Position position_at(std::size_t offset) const;
  Position position_at(LspPosition position) const { return position_at(offset_at(position)); }
  LspPosition lsp_position_at(std::size_t offset) const;
  LspRange lsp_range(std::size_t byte_start, std::size_t byte_end) const;

  /// The 1-based column of the first character of the 1-based line that is neither space nor tab; the end
  /// column if the line is blank; 1 if there is no such line.
  int first_non_blank_column(int line) const;
  /// The 1-based column just past the last character of the 1-based line; 1 if there is no such line.
  int end_column(int line) const;

  /// Applies the edit to the text and updates line starts without rescanning the rest. The edit must be
  /// inside the current text (asserted).
  void apply(const TextEdit& edit);

  friend bool operator==(const Text& a, const Text& b) { return a.content_ == b.content_; }

 private:
  std::string content_;
  std::vector<std::size_t> line_starts_;  // byte offsets, the first is 0; never empty
};

}  // namespace leanbridge::text
