#include "lines.hpp"

#include "core/base/counted.hpp"
#include "utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace leanbridge::text {

namespace {

// The most frequent line ending.
std::string_view ending_of(const std::vector<std::string_view>& lines) {
  int crlf = 0, lf = 0;
  for (const std::string_view line : lines)
    if (line.ends_with('\n')) ++(line.ends_with("\r\n") ? crlf : lf);
  return crlf > lf ? "\r\n" : "\n";
}

constexpr std::size_t kMaxComparedLines = 4'000'000;  // pairs of lines

std::string_view without_lf(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  return line;
}

std::string_view without_ending(std::string_view line) {
  line = without_lf(line);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

int line_number(std::string_view text, std::size_t offset) {
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, offset), '\n'));
}

std::vector<std::string_view> lines_with_endings(std::string_view content) {
  std::vector<std::string_view> lines;
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size() - 1) + 1;
    lines.push_back(content.substr(0, end));
    content.remove_prefix(end);
  }
  return lines;
}

NormalisedText normalise_newlines(std::string text) {
  NormalisedText result;
  if (text.find('\r') == std::string::npos) {
    result.had_lone_lf = text.find('\n') != std::string::npos;
    result.text = std::move(text);
    return result;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      result.had_crlf = true;
      ++i;  // the `\n` is kept below
    } else if (text[i] == '\n') {
      result.had_lone_lf = true;
    }
    text[kept++] = text[i];
  }
  text.resize(kept);
  result.text = std::move(text);
  return result;
}

namespace {

// For each of `lines`, the old line that it equals or replaces; npos: it is new. Uses a longest common
// subsequence of the lines between the first and the last difference.
std::vector<std::size_t> old_lines_of(const std::vector<std::string_view>& old,
                                      const std::vector<std::string_view>& lines) {
  const auto same = [&](std::size_t a, std::size_t b) {
    return without_ending(old[a]) == without_lf(lines[b]);
  };
  std::vector<std::size_t> found(lines.size(), std::string_view::npos);
  const std::size_t least = std::min(old.size(), lines.size());
  std::size_t head = 0, tail = 0;
  for (; head < least && same(head, head); ++head) found[head] = head;
  for (; tail < least - head && same(old.size() - tail - 1, lines.size() - tail - 1); ++tail)
    found[lines.size() - tail - 1] = old.size() - tail - 1;
  const std::size_t rows = old.size() - head - tail, columns = lines.size() - head - tail;
  const bool is_small = rows == 0 || columns <= kMaxComparedLines / rows;
  // lengths[r][c] is the length of the longest common subsequence behind row r and column c.
  std::vector<std::uint32_t> lengths(is_small ? (rows + 1) * (columns + 1) : 0);
  const auto length = [&](std::size_t r, std::size_t c) -> std::uint32_t& {
    return lengths[r * (columns + 1) + c];
  };
  if (is_small)
    for (std::size_t r = rows; r-- > 0;)
      for (std::size_t c = columns; c-- > 0;)
        length(r, c) = same(head + r, head + c) ? length(r + 1, c + 1) + 1
                                                : std::max(length(r + 1, c), length(r, c + 1));
  for (std::size_t r = 0, c = 0; r < rows && c < columns;) {
    // Where both texts have a different line, one replaces the other.
    const bool in_place = !is_small || same(head + r, head + c) ||
                          (length(r + 1, c) == length(r, c) && length(r, c + 1) == length(r, c) &&
                           length(r + 1, c + 1) == length(r, c));
    if (in_place) {
      found[head + c++] = head + r++;
    } else if (length(r + 1, c) == length(r, c)) {
      ++r;
    } else {
      ++c;
    }
  }
  return found;
}

}  // namespace

std::string with_line_endings_of(std::string_view bytes, std::string_view text) {
  if (bytes.find("\r\n") == std::string_view::npos) return std::string(text);
  const std::vector<std::string_view> old = lines_with_endings(bytes), lines = lines_with_endings(text);
  const std::vector<std::size_t> old_lines = old_lines_of(old, lines);
  const std::string_view usual = ending_of(old);
  std::string out;
  out.reserve(text.size() + lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = without_lf(lines[i]);
    std::string_view ending = usual;
    if (old_lines[i] < old.size() && old[old_lines[i]].ends_with('\n'))
      ending = old[old_lines[i]].ends_with("\r\n") ? "\r\n" : "\n";
    out += line;
    if (lines[i].ends_with('\n')) out += line.ends_with('\r') ? "\r\n" : ending;
  }
  return out;
}

Result<LineReplacement> replace_lines(std::string_view content, int start_line, int end_line,
                                      std::string_view new_text, std::string_view file_name) {
  const std::vector<std::string_view> lines = lines_with_endings(content);
  const int count = static_cast<int>(lines.size());
  if (start_line < 1 || end_line < start_line - 1 || start_line > count + 1 || end_line > count)
    return fail(ErrorKind::InvalidArgument,
                "There are no lines " + std::to_string(start_line) + " to " + std::to_string(end_line) +
                    " in " + std::string(file_name) + ": it has " + counted(lines.size(), "line") + ".",
                "Lines count from 1 and both ends are included; end_line = start_line - 1 inserts." +
                    (lines.empty() ? std::string()
                                   : " Line " + std::to_string(count) +
                                         ", the last one, is: " + shown_lines(content, count, count)));
  const std::string_view ending = ending_of(lines);
  const std::string normalised = normalise_newlines(std::string(new_text)).text;
  const std::vector<std::string_view> added = lines_with_endings(normalised);

  LineReplacement result;
  result.first_line = start_line;
  result.new_line_count = static_cast<int>(added.size());
  result.old_line_count = end_line - start_line + 1;
  const bool final_newline = lines.empty() ? normalised.ends_with('\n') : content.ends_with('\n');
  std::string& text = result.content;
  const auto append = [&](std::string_view line, bool is_new) {
    // A last line without a newline needs one if another line follows.
    if (!text.empty() && text.back() != '\n') text += ending;
    text += is_new ? without_ending(line) : line;
    if (is_new) text += ending;
  };
  for (int line = 1; line < start_line; ++line) append(lines[static_cast<std::size_t>(line - 1)], false);
  for (const std::string_view line : added) append(line, true);
  for (int line = end_line + 1; line <= count; ++line)
    append(lines[static_cast<std::size_t>(line - 1)], false);
  if (!final_newline && text.ends_with('\n')) text.resize(without_ending(text).size());
  return result;
}

std::string shown_lines(std::string_view content, int first, int last) {
  constexpr std::size_t kMaxShown = 4000;  // bytes
  const std::vector<std::string_view> lines = lines_with_endings(content);
  std::string shown;
  for (int line = std::max(first, 1); line <= std::min(last, static_cast<int>(lines.size())); ++line) {
    if (line > std::max(first, 1)) shown += '\n';
    shown += without_ending(lines[static_cast<std::size_t>(line - 1)]);
    if (shown.size() > kMaxShown) return std::string(beginning_of(shown, kMaxShown)) + " […]";
  }
  return shown;
}

}  // namespace leanbridge::text
