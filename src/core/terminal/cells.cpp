#include "cells.hpp"

#include "core/base/ascii.hpp"
#include "core/text/untrusted.hpp"
#include "core/text/utf8.hpp"
#include <locale.h>
#include <utf8.h>
#include <wchar.h>

#include <algorithm>

namespace leanbridge::app {

namespace {

// The C library knows the widths in a UTF-8 locale, which the locale of this process need not be.
std::size_t cells_of_point(char32_t c) {
  static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (!utf8 || c < 0x80) return 1;
  const locale_t before = ::uselocale(utf8);
  const int cells = ::wcwidth(static_cast<wchar_t>(c));
  ::uselocale(before);
  return cells < 0 ? 1 : static_cast<std::size_t>(cells);
}

template <class OnControl>
std::string cleaned(std::string_view text, OnControl on_control) {
  const std::string valid = text::replace_invalid(text);
  std::string line;
  for (const char *at = valid.data(), *end = at + valid.size(); at != end;) {
    const char* const start = at;
    const char32_t point = utf8::unchecked::next(at);
    if (point == 0x1B)
      at = valid.data() + end_of_escape_sequence(valid, static_cast<std::size_t>(start - valid.data()));
    else if (text::is_control(point))
      on_control(line, point);
    else if (!text::is_invisible(point))
      line.append(start, at);
  }
  return line;
}

// How many bytes at the beginning of valid UTF-8 fit into `cells`, including combining characters that
// follow; at least one character.
std::size_t bytes_within(std::string_view valid, std::size_t cells) {
  std::size_t taken = 0;
  const char* const begin = valid.data();
  const char* const end = begin + valid.size();
  for (const char* at = begin; at != end;) {
    const char* next = at;
    taken += cells_of_point(utf8::unchecked::next(next));
    if (taken > cells && at != begin) return static_cast<std::size_t>(at - begin);
    at = next;
  }
  return valid.size();
}

void wrap_line(std::string_view line, std::size_t width, std::vector<std::string>& lines) {
  const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
  std::string current(std::min(start, width / 2), ' ');
  std::size_t cells = current.size();
  bool has_word = false;
  for (std::size_t at = start; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    std::string_view word = line.substr(at, end - at);
    at = std::min(line.find_first_not_of(' ', end), line.size());
    const std::size_t wide = cells_of(word);
    const std::size_t gap = has_word ? 1 : 0;
    if (has_word && cells + gap + wide > width) {
      lines.push_back(std::move(current));
      current.clear();
      cells = 0;
      has_word = false;
    } else if (has_word) {
      current += ' ';
      ++cells;
    }
    while (cells + cells_of(word) > width && !word.empty()) {
      const std::size_t bytes = bytes_within(word, width > cells ? width - cells : 1);
      lines.push_back(current + std::string(word.substr(0, bytes)));
      word.remove_prefix(bytes);
      current.clear();
      cells = 0;
    }
    current += word;
    cells += cells_of(word);
    has_word = has_word || !word.empty();
  }
  if (has_word || lines.empty() || line.empty()) lines.push_back(std::move(current));
}

std::string without_trailing_spaces(std::string line) {
  line.resize(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string one_line(std::string_view text) {
  return without_trailing_spaces(cleaned(text, [](std::string& line, char32_t) {
    if (!line.empty() && line.back() != ' ') line += ' ';
  }));
}

std::string printable_line(std::string_view text) {
  return cleaned(text, [](std::string& line, char32_t control) {
    if (control == '\t') line += '\t';
  });
}

std::size_t cells_of(std::string_view text) {
  const std::string valid = text::replace_invalid(text);
  std::size_t cells = 0;
  for (const char *at = valid.data(), *end = at + valid.size(); at != end;)
    cells += cells_of_point(utf8::unchecked::next(at));
  return cells;
}

std::string fitted(std::string_view text, std::size_t width) {
  const std::size_t cells = cells_of(text);
  if (cells <= width) return std::string(text) + std::string(width - cells, ' ');
  const std::string valid = text::replace_invalid(text);
  std::size_t taken = 0;
  const char* at = valid.data();
  for (const char* next = at; width > 0; at = next) {
    const std::size_t more = cells_of_point(utf8::unchecked::next(next));
    if (taken + more + 1 > width) break;
    taken += more;
  }
  std::string cut(valid.data(), at);
  if (width > 0) cut += "…" + std::string(width - taken - 1, ' ');
  return cut;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  width = std::max<std::size_t>(width, 2);  // a wide character needs two cells
  const std::string valid = text::replace_invalid(text);
  std::vector<std::string> lines;
  for (std::size_t at = 0; at <= valid.size();) {
    const std::size_t end = std::min(valid.find('\n', at), valid.size());
    std::vector<std::string> of_line;
    wrap_line(std::string_view(valid).substr(at, end - at), width, of_line);
    lines.insert(lines.end(), of_line.begin(), of_line.end());
    at = end + 1;
  }
  return lines;
}

std::string wrapped_block(std::string_view text, std::size_t width, std::size_t indent) {
  std::string block;
  for (const std::string& line : wrapped(text, width > indent ? width - indent : 1))
    block += (line.empty() ? "" : std::string(indent, ' ') + line) + "\n";
  return block;
}

std::string first_sentence(std::string_view text) {
  std::string line = one_line(text);
  const std::size_t end = line.find(". ");
  if (end != std::string::npos) line.resize(end + 1);
  return line;
}

}  // namespace leanbridge::app
