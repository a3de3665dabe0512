#include "text.hpp"

#include "core/base/counted.hpp"
#include "core/base/try.hpp"
#include "utf8.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

namespace leanbridge::text {
namespace {

/// Appends base + the offset just after each `\n` of `text`.
void append_line_starts(std::string_view text, std::size_t base, std::vector<std::size_t>& starts) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  for (const char* p = begin; p != end;) {
    const auto* newline = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    if (newline == nullptr) return;
    p = newline + 1;
    starts.push_back(base + static_cast<std::size_t>(p - begin));
  }
}

int to_int(std::size_t n) {
  return static_cast<int>(std::min(n, static_cast<std::size_t>(std::numeric_limits<int>::max())));
}

std::uint32_t to_u32(std::size_t n) {
  return static_cast<std::uint32_t>(
      std::min(n, static_cast<std::size_t>(std::numeric_limits<std::uint32_t>::max())));
}

}  // namespace

Text::Text(std::string content) : content_(std::move(content)) {
  line_starts_.push_back(0);
  append_line_starts(content_, 0, line_starts_);
}

int Text::line_count() const {
  const bool last_is_empty = line_starts_.back() == content_.size();
  return to_int(line_starts_.size() - (last_is_empty ? 1 : 0));
}

std::size_t Text::line_start(std::size_t index) const {
  return index < line_starts_.size() ? line_starts_[index] : content_.size();
}

std::size_t Text::line_end(std::size_t index) const {
  if (index >= line_starts_.size() - 1) return content_.size();  // the last line has no ending
  const std::size_t newline = line_starts_[index + 1] - 1;
  const bool crlf = newline > line_starts_[index] && content_[newline - 1] == '\r';
  return crlf ? newline - 1 : newline;
}

std::string_view Text::line(std::size_t index) const {
  const std::size_t start = line_start(index);
  return std::string_view(content_).substr(start, line_end(index) - start);
}

std::size_t Text::line_at(std::size_t offset) const {
  const auto after = std::ranges::upper_bound(line_starts_, offset);
  return static_cast<std::size_t>(after - line_starts_.begin()) - 1;
}

Result<void> Text::require_line(int line, std::string_view file_name) const {
  if (line < 1) {
    return fail(ErrorKind::InvalidArgument, std::to_string(line) + " is not a line number.",
                "Lines count from 1.");
  }
  if (static_cast<std::size_t>(line) > addressable_lines()) {
    const int last = std::max(line_count(), 1);
    return fail(ErrorKind::InvalidArgument,
                std::string(file_name) + " has no line " + std::to_string(line) + "; it has " +
                    counted(static_cast<std::size_t>(line_count()), "line") + ".",
                last == 1 ? "Pass line 1; read the file again if it has changed."
                          : "Pass a line from 1 to " + std::to_string(last) +
                                "; read the file again if it has changed.");
  }
  return {};
}

Result<std::size_t> Text::offset_of(Position position, std::string_view file_name) const {
  TRY_DONE(require_line(position.line, file_name));
  if (position.column < 1) {
    return fail(ErrorKind::InvalidArgument, std::to_string(position.column) + " is not a column number.",
                "Columns count from 1, in Unicode characters.");
  }
  const auto index = static_cast<std::size_t>(position.line) - 1;
  const std::string_view content = line(index);
  const auto skipped = static_cast<std::size_t>(position.column) - 1;
  const std::size_t length = count_code_points(content);
  if (skipped > length) {
    return fail(ErrorKind::InvalidArgument,
                "Line " + std::to_string(position.line) + " of " + std::string(file_name) +
                    " has no column " + std::to_string(position.column) + "; it has " +
                    counted(length, "character") + ".",
                "Pass a column from 1 to " + std::to_string(length + 1) +
                    "; columns count Unicode characters, and the last one is the end of the line.");
  }
  return line_start(index) + byte_of_code_point(content, skipped);
}

std::size_t Text::offset_at(LspPosition position) const {
  const std::size_t start = line_start(position.line);
  return start + byte_of_utf16_unit(line(position.line), position.character);
}

Position Text::position_at(std::size_t offset) const {
  const std::size_t index = line_at(offset);
  const std::string_view content = line(index);
  const std::size_t in_line = code_point_start(content, offset - line_start(index));
  return {to_int(index + 1), to_int(count_code_points(content.substr(0, in_line)) + 1)};
}

LspPosition Text::lsp_position_at(std::size_t offset) const {
  const std::size_t index = line_at(offset);
  const std::string_view content = line(index);
  const std::size_t in_line = code_point_start(content, offset - line_start(index));
  return {to_u32(index), to_u32(count_utf16_units(content.substr(0, in_line)))};
}

LspRange Text::lsp_range(std::size_t byte_start, std::size_t byte_end) const {
  return {lsp_position_at(byte_start), lsp_position_at(byte_end)};
}

int Text::first_non_blank_column(int line_number) const {
  if (line_number < 1) return 1;
  const std::string_view content = line(static_cast<std::size_t>(line_number) - 1);
  const std::size_t blank = content.find_first_not_of(" \t");
  return to_int(std::min(blank, content.size()) + 1);  // blanks are ASCII: bytes are code points
}

int Text::end_column(int line_number) const {
  if (line_number < 1) return 1;
  return to_int(count_code_points(line(static_cast<std::size_t>(line_number) - 1)) + 1);
}

void Text::apply(const TextEdit& edit) {
  assert(edit.byte_start <= edit.byte_end && edit.byte_end <= content_.size());
  // The `\n` at s-1 begins the line at s; the line start goes away if that byte is replaced.
  const auto first_gone = std::ranges::upper_bound(line_starts_, edit.byte_start);
  const auto first_kept = std::upper_bound(first_gone, line_starts_.end(), edit.byte_end);
  for (auto it = first_kept; it != line_starts_.end(); ++it)
    *it = *it - edit.byte_end + edit.byte_start + edit.replacement.size();
  std::vector<std::size_t> added;
  append_line_starts(edit.replacement, edit.byte_start, added);
  const auto hole = line_starts_.erase(first_gone, first_kept);
  line_starts_.insert(hole, added.begin(), added.end());
  content_.replace(edit.byte_start, edit.byte_end - edit.byte_start, edit.replacement);
}

}  // namespace leanbridge::text
