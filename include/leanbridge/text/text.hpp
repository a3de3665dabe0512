#pragma once
/// The text of a file together with its line starts: all conversions between positions happen here.

#include "leanbridge/base/error.hpp"
#include "leanbridge/text/edit.hpp"
#include "leanbridge/text/position.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

/// Owns a text (expected to be valid UTF-8) and knows where its lines start. A value: copyable, confined to
/// one thread at a time. Views returned by line() live until the next change of the object.
///
/// Lines. Only `\n` ends a line, as in Lean: a lone `\r`, `\v`, `\f`, U+0085, U+2028 do not. A `\r` just
/// before the
/// `\n` belongs to the line ending, not to the line's content.
/// `line_count()` is what `wc -l`, an editor's last number or a Read tool shows: a final `\n` ends the last
/// line and begins no new one ("a\nb\n" and "a\nb" have 2 lines, "" has 0). But the empty place after a final
/// `\n` can be addressed, in LSP and by agents: `addressable_lines()` is the number of `\n` plus one (3, 2
/// and 1 here).
///
/// Line indices in this class are 0-based std::size_t; Position and LspPosition are as documented there.
class Text {
 public:
  Text() : Text(std::string()) {}
  explicit Text(std::string content);

  const std::string& str() const { return content_; }
  std::size_t size() const { return content_.size(); }

  int line_count() const;
  std::size_t addressable_lines() const { return line_starts_.size(); }

  /// Content of a line without its line ending; empty when `index` is past the end.
  std::string_view line(std::size_t index) const;
  /// Byte offset where a line begins; size() when `index` is past the end.
  std::size_t line_start(std::size_t index) const;
  /// Byte offset where the content of a line ends (before `\n` or `\r\n`); size() when `index` is past the
  /// end.
  std::size_t line_end(std::size_t index) const;
  /// Index of the line that contains the byte `offset`; a `\n` is in the line it ends. Past the end: the last
  /// one.
  std::size_t line_at(std::size_t offset) const;

  /// Strict conversions, for positions given by a caller. InvalidArgument with the file's line count or the
  /// line's length, and a hint, when the position does not exist; `file_name` is only for the message.
  Result<std::size_t> offset_of(Position position, std::string_view file_name) const;
  Result<LspPosition> lsp_position_of(Position position, std::string_view file_name) const;
  /// Is there a line with this 1-based number? The same error as offset_of(). For tools that take only a
  /// line.
  Result<void> require_line(int line, std::string_view file_name) const;

  /// Lenient conversions, for what Lean says and for our own offsets: past the end of a line means its end,
  /// past the last line the end of the text, inside a code point its start, inside `\r\n` the end of the
  /// line's content.
  std::size_t offset_at(LspPosition position) const;
  Position position_at(std::size_t offset) const;
  Position position_at(LspPosition position) const { return position_at(offset_at(position)); }
  LspPosition lsp_position_at(std::size_t offset) const;
  LspRange lsp_range(std::size_t byte_start, std::size_t byte_end) const;

  /// 1-based column of the first character of the 1-based line that is neither space nor tab; the end column
  /// when the line is blank; 1 when there is no such line.
  int first_non_blank_column(int line) const;
  /// 1-based column just past the last character of the 1-based line; 1 when there is no such line.
  int end_column(int line) const;

  /// Applies the edit to text and line starts without rescanning the rest. The edit is in bytes of the
  /// current text and must lie inside it (asserted).
  void apply(const TextEdit& edit);

  friend bool operator==(const Text& a, const Text& b) { return a.content_ == b.content_; }

 private:
  std::string content_;
  std::vector<std::size_t> line_starts_;  // byte offsets, the first is 0; never empty
};

}  // namespace leanbridge::text
