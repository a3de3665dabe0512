#include "tactic_lines.hpp"

#include <algorithm>
#include <vector>

namespace leanbridge::text {

namespace {

std::size_t white_space(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

bool has_nothing(std::string_view line) {
  return white_space(line) == line.size();
}

// Without blank ones at both ends; at least one.
std::vector<std::string_view> shown_lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (;;) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (!lines.back().empty() && lines.back().back() == '\r') lines.back().remove_suffix(1);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  while (lines.size() > 1 && has_nothing(lines.front())) lines.erase(lines.begin());
  while (lines.size() > 1 && has_nothing(lines.back())) lines.pop_back();
  return lines;
}

}  // namespace

std::string moved_to(std::string_view tactics, std::size_t column) {
  const std::vector<std::string_view> lines = shown_lines_of(tactics);
  const std::size_t first = white_space(lines.front());
  std::string text(lines.front().substr(first));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t own = white_space(lines[i]);
    const std::size_t deeper = own > first ? own - first : 0;
    text += '\n';
    if (own < lines[i].size()) text += std::string(column + deeper, ' ') + std::string(lines[i].substr(own));
  }
  return text;
}

std::optional<std::string> first_line_aligned(std::string_view tactics) {
  const std::vector<std::string_view> lines = shown_lines_of(tactics);
  const std::size_t first = white_space(lines.front());
  std::size_t outermost = std::string_view::npos;
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (!has_nothing(lines[i])) outermost = std::min(outermost, white_space(lines[i]));
  if (outermost == std::string_view::npos || outermost <= first) return std::nullopt;
  std::string text(lines.front());
  for (std::size_t i = 1; i < lines.size(); ++i)
    text += "\n" + std::string(has_nothing(lines[i]) ? "" : lines[i].substr(outermost - first));
  return text;
}

std::optional<std::string> behind_by(std::string_view text) {
  constexpr std::string_view kBy = "by";
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || !text.substr(begin).starts_with(kBy)) return std::nullopt;
  const std::string_view rest = text.substr(begin + kBy.size());
  if (rest.find_first_not_of(" \t\r\n") == std::string_view::npos || rest.find_first_of(" \t\r\n") != 0)
    return std::nullopt;
  const std::size_t line = text.rfind('\n', begin);
  const std::size_t column = begin - (line == std::string_view::npos ? 0 : line + 1);
  return std::string(column + kBy.size(), ' ') + std::string(rest);
}

}  // namespace leanbridge::text
