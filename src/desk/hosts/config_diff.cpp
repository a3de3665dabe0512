#include "config_text.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace leanbridge::app::hosts {

namespace {

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// A comma that a new neighbour requires is not a change to show: its line may have another server's secret.
std::string_view without_comma(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t,") + 1);
}

bool same_line(const std::string& a, const std::string& b) {
  return without_comma(a) == without_comma(b);
}

std::string range_of(std::size_t first, std::size_t count) {
  const std::size_t line = count == 0 ? first : first + 1;
  return count == 1 ? std::to_string(line) : std::to_string(line) + "," + std::to_string(count);
}

}  // namespace

std::string diff_of(const std::string& before, const std::string& after) {
  const std::vector<std::string> old_lines = lines_in(before), new_lines = lines_in(after);
  const auto first =
      std::mismatch(old_lines.begin(), old_lines.end(), new_lines.begin(), new_lines.end(), same_line);
  const auto begin = static_cast<std::size_t>(first.first - old_lines.begin());
  std::size_t old_end = old_lines.size(), new_end = new_lines.size();
  while (old_end > begin && new_end > begin && same_line(old_lines[old_end - 1], new_lines[new_end - 1])) {
    --old_end;
    --new_end;
  }
  if (old_end == begin && new_end == begin) return "";
  std::string text =
      "@@ -" + range_of(begin, old_end - begin) + " +" + range_of(begin, new_end - begin) + " @@\n";
  for (std::size_t i = begin; i < old_end; ++i) text += "-" + old_lines[i] + "\n";
  for (std::size_t i = begin; i < new_end; ++i) text += "+" + new_lines[i] + "\n";
  return text;
}

}  // namespace leanbridge::app::hosts
