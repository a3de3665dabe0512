#include "output.hpp"

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/mcp/tool_result.hpp"
#include "leanbridge/text/untrusted.hpp"
#include "leanbridge/text/utf8.hpp"

#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utf8.h>
#include <wchar.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <utility>

namespace leanbridge::app {

using nlohmann::json;

namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kMinRest = 12;  // however narrow the terminal is
constexpr std::size_t kIndent = 4;

// The C library knows the widths in a UTF-8 locale. The locale of this process may be any other.
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

std::size_t terminal_width() {
  constexpr std::size_t kDefaultWidth = 100, kMinWidth = 60;
  winsize size{};
  const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return std::max<std::size_t>(known ? size.ws_col : kDefaultWidth, kMinWidth);
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

std::string first_sentence(std::string_view text) {
  std::string line = one_line(text);
  const std::size_t end = line.find(". ");
  if (end != std::string::npos) line.resize(end + 1);
  return line;
}

void Table::add(std::vector<std::string> texts, std::string below) {
  for (std::string& text : texts) text = one_line(text);
  texts.resize(columns_.size());
  rows_.push_back({std::move(texts), one_line(below)});
}

std::vector<std::size_t> Table::widths(std::size_t width) const {
  std::vector<std::size_t> all;
  std::size_t others = kGap * (columns_.size() - 1);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t needed = cells_of(columns_[i].title);
    for (const Row& row : rows_) needed = std::max(needed, cells_of(row.texts[i]));
    if (columns_[i].max_percent > 0) needed = std::min(needed, width * columns_[i].max_percent / 100);
    all.push_back(needed);
    if (!columns_[i].rest) others += needed;
  }
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i].rest) all[i] = std::min(all[i], std::max(kMinRest, width > others ? width - others : 0));
  return all;
}

std::string Table::aligned(std::size_t width) const {
  const std::vector<std::size_t> each = widths(width);
  std::string text;
  const auto add_line = [&](const auto& text_of) {
    std::string line;
    for (std::size_t i = 0; i < each.size(); ++i)
      line += (i ? std::string(kGap, ' ') : "") + fitted(text_of(i), each[i]);
    text += without_trailing_spaces(std::move(line)) + "\n";
  };
  if (std::any_of(columns_.begin(), columns_.end(), [](const Column& c) { return !c.title.empty(); }))
    add_line([&](std::size_t i) { return columns_[i].title; });
  for (const Row& row : rows_) {
    add_line([&](std::size_t i) { return row.texts[i]; });
    if (!row.below.empty()) text += std::string(kIndent, ' ') + row.below + "\n";
  }
  return text;
}

std::string Table::tabbed() const {
  std::string text;
  for (const Row& row : rows_)
    for (std::size_t i = 0; i < row.texts.size(); ++i)
      text += row.texts[i] + (i + 1 < row.texts.size() ? "\t" : "\n");
  return text;
}

void Table::print() const {
  const std::string text = ::isatty(STDOUT_FILENO) != 0 ? aligned(terminal_width()) : tabbed();
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_json(const json& value) {
  const int indent = ::isatty(STDOUT_FILENO) != 0 ? 2 : -1;
  std::printf("%s\n", value.dump(indent, ' ', false, json::error_handler_t::replace).c_str());
}

json error_json(const Error& error) {
  const json result = mcp::to_tool_error(error);
  return json::parse(result["content"][0]["text"].get_ref<const std::string&>())["error"];
}

void print_error(const Error& error) {
  std::fprintf(stderr, "leanbridge: %s\n", one_line(error.message + " " + error.hint).c_str());
}

int usage(const Error& error) {
  print_error(error);
  return kUsage;
}

int report(const Error& error) {
  print_error(error);
  return error.kind == ErrorKind::InvalidArgument ? kUsage : kFailed;
}

int report_undecided(const Error& error, bool as_json) {
  if (as_json)
    print_json({{"error", error_json(error)}});
  else
    print_error(error);
  const bool is_usage = error.kind == ErrorKind::InvalidArgument || error.kind == ErrorKind::FileNotFound;
  return is_usage ? kUsage : kUndecided;
}

bool is_interactive() {
  return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0;
}

std::string asked(const std::string& question) {
  std::fprintf(stderr, "%s ", question.c_str());
  std::string answer;
  std::getline(std::cin, answer);
  answer.erase(0, answer.find_first_not_of(" \t\r"));
  return answer.erase(answer.find_last_not_of(" \t\r") + 1);
}

bool agreed(const std::string& question) {
  const std::string answer = asked(question + " [y/N]");
  return answer == "y" || answer == "Y" || answer == "yes";
}

void ProgressLine::clear() {
  if (std::exchange(shown_, false)) std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(const std::string& text) {
  constexpr std::size_t kCells = 120;
  if (::isatty(STDERR_FILENO) == 0) return;
  const std::string line = one_line(text);
  std::fprintf(stderr, "\r\033[K%s", cells_of(line) > kCells ? fitted(line, kCells).c_str() : line.c_str());
  shown_ = true;
}

}  // namespace leanbridge::app
