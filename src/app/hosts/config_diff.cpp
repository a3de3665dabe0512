#include "text_edit.hpp"

#include <algorithm>

namespace leanbridge::app::hosts {

namespace {

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
    at = end + 1;
  }
  return lines;
}

// A comma that a new neighbour needs is no change to show: the line may hold another server's secret.
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
  std::string text;
  // Edits are few and close together, so a line that both have next is the end of a change.
  constexpr std::size_t kLookAhead = 200;
  std::size_t i = 0, j = 0;
  while (i < old_lines.size() || j < new_lines.size()) {
    if (i < old_lines.size() && j < new_lines.size() && same_line(old_lines[i], new_lines[j])) {
      ++i;
      ++j;
      continue;
    }
    std::size_t removed = old_lines.size() - i, added = new_lines.size() - j;
    for (std::size_t sum = 1; sum <= kLookAhead; ++sum) {
      bool found = false;
      for (std::size_t k = 0; k <= sum && !found; ++k) {
        if (i + k >= old_lines.size() || j + (sum - k) >= new_lines.size()) continue;
        // A lone bracket is equal to any other.
        const std::string& line = old_lines[i + k];
        const bool tells = line.find_first_not_of(" \t{}[],") != npos || i + k + 1 == old_lines.size();
        if (!tells || !same_line(line, new_lines[j + (sum - k)])) continue;
        removed = k;
        added = sum - k;
        found = true;
      }
      if (found) break;
    }
    while (removed > 0 && added > 0 && same_line(old_lines[i + removed - 1], new_lines[j + added - 1])) {
      --removed;
      --added;
    }
    text += "@@ -" + range_of(i, removed) + " +" + range_of(j, added) + " @@\n";
    for (; removed > 0; --removed) text += "-" + old_lines[i++] + "\n";
    for (; added > 0; --added) text += "+" + new_lines[j++] + "\n";
  }
  return text;
}

}  // namespace leanbridge::app::hosts
