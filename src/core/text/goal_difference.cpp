#include "goal_difference.hpp"

#include "core/base/counted.hpp"

#include <algorithm>

namespace leanbridge::text {

namespace {

constexpr std::string_view kTurnstile = "⊢";

struct GoalParts {
  std::vector<std::string_view> tags;  ///< lines before the hypotheses: `case h`
  std::vector<std::string_view> hypotheses;
  std::string_view target;  ///< from the turnstile on
};

// An entry ends before the next line that is not indented.
GoalParts goal_parts(std::string_view goal) {
  GoalParts parts;
  while (!goal.empty() && !goal.starts_with(kTurnstile)) {
    std::size_t end = goal.find('\n');
    while (end != std::string_view::npos && end + 1 < goal.size() && goal[end + 1] == ' ')
      end = goal.find('\n', end + 1);
    const std::string_view entry = goal.substr(0, end);
    (parts.hypotheses.empty() && entry.starts_with("case ") ? parts.tags : parts.hypotheses).push_back(entry);
    goal.remove_prefix(end == std::string_view::npos ? goal.size() : end + 1);
  }
  parts.target = goal;
  return parts;
}

bool has(const std::vector<std::string_view>& list, std::string_view entry) {
  return std::ranges::find(list, entry) != list.end();
}

// The names that a hypothesis introduces: `a b : Nat`.
std::vector<std::string_view> names_in(std::string_view hypothesis) {
  std::vector<std::string_view> names;
  std::string_view rest = hypothesis.substr(0, hypothesis.find(" : "));
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (end > 0) names.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return names;
}

std::vector<std::string_view> names_in(const std::vector<std::string_view>& hypotheses) {
  std::vector<std::string_view> names;
  for (const std::string_view hypothesis : hypotheses)
    for (const std::string_view name : names_in(hypothesis)) names.push_back(name);
  return names;
}

}  // namespace

std::string goal_difference(std::string_view goal, const std::vector<std::string>& known,
                            std::string_view where) {
  const GoalParts parts = goal_parts(goal);
  GoalParts before;
  std::ptrdiff_t most = 0;
  for (const std::string& other : known) {
    GoalParts others = goal_parts(other);
    const auto shared = std::ranges::count_if(
        parts.hypotheses, [&](std::string_view each) { return has(others.hypotheses, each); });
    if (shared <= most) continue;
    most = shared;
    before = std::move(others);
  }
  if (most == 0) return std::string(goal);

  std::string text;
  const auto add_line = [&text](std::string_view line) {
    if (!text.empty()) text += '\n';
    text += line;
  };
  for (const std::string_view tag : parts.tags) add_line(tag);
  add_line("… " + counted(static_cast<std::size_t>(most), "hypothesis as ", "hypotheses as ") +
           std::string(where));
  std::string gone;
  const auto now = names_in(parts.hypotheses);
  for (const std::string_view name : names_in(before.hypotheses))
    if (!has(now, name)) gone += (gone.empty() ? "gone: " : ", ") + std::string(name);
  if (!gone.empty()) add_line(gone);
  for (const std::string_view hypothesis : parts.hypotheses)
    if (!has(before.hypotheses, hypothesis)) add_line(hypothesis);
  if (!parts.target.empty()) add_line(parts.target);
  return text.size() < goal.size() ? text : std::string(goal);
}

}  // namespace leanbridge::text
