#include "profile.hpp"

#include "core/base/ascii.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace leanbridge::lean {

namespace {

template <class Use>
void for_each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// "200ms", "1.5s", "0.0045"
std::optional<double> milliseconds(std::string_view text, double unit_without_name) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit == "ms") return value;
  if (unit == "s") return value * 1000;
  return unit.empty() ? std::optional(value * unit_without_name) : std::nullopt;
}

// Since 4.35, the outcome of a step precedes its text: success, failure, or an error while printing it.
std::string_view without_outcome(std::string_view text) {
  for (const std::string_view mark : {"✅️", "❌️", "💥️"})
    if (text.starts_with(mark)) return trimmed(text.substr(mark.size()));
  return text;
}

// `  [Elab.step] [0.012] exact h`, since 4.35 `  [Elab.step] [0.012] ✅️ exact h`
std::optional<ProfileNode> read_node(std::string_view line) {
  const std::size_t indent = line.find_first_not_of(' ');
  if (indent == std::string_view::npos || line[indent] != '[') return std::nullopt;
  const std::size_t end_of_category = line.find("] [", indent);
  if (end_of_category == std::string_view::npos) return std::nullopt;
  const std::size_t time = end_of_category + 3;
  const std::size_t end_of_time = line.find(']', time);
  if (end_of_time == std::string_view::npos) return std::nullopt;
  const auto ms = milliseconds(line.substr(time, end_of_time - time), 1000);
  if (!ms) return std::nullopt;
  ProfileNode node;
  node.depth = static_cast<int>(indent);
  node.category = line.substr(indent + 1, end_of_category - indent - 1);
  node.ms = *ms;
  node.text = without_outcome(trimmed(line.substr(end_of_time + 1)));
  return node;
}

bool is_tactic(const ProfileNode& node) {
  return node.category == "Elab.step" && !node.text.empty() && !node.text.starts_with("expected type:");
}

}  // namespace

void add_categories(std::string_view message, std::map<std::string, double>& ms_by_category) {
  for_each_line(message, [&](std::string_view line) {
    constexpr std::string_view kTook = " took ";
    const std::size_t took = line.rfind(kTook);
    if (took == std::string_view::npos) return;
    const auto ms = milliseconds(trimmed(line.substr(took + kTook.size())), 0);
    if (!ms) return;
    const std::string_view what = line.substr(0, took);
    ms_by_category[std::string(trimmed(what.substr(0, what.find(" of "))))] += *ms;
  });
}

std::vector<ProfileNode> read_trace(std::string_view message) {
  std::vector<ProfileNode> nodes;
  for_each_line(message, [&](std::string_view line) {
    if (auto node = read_node(line)) nodes.push_back(std::move(*node));
  });
  return nodes;
}

std::vector<LineTime> time_lines(const std::vector<ProfileNode>& nodes,
                                 const std::vector<std::string_view>& lines) {
  std::map<int, double> ms_by_line;
  std::map<std::string, std::size_t> times_seen;
  std::vector<const ProfileNode*> above;  // the tactics that contain the current node
  for (const ProfileNode& node : nodes) {
    while (!above.empty() && above.back()->depth >= node.depth) above.pop_back();
    if (!is_tactic(node)) continue;
    // `exact h` appears several times, as a tactic, as its macro expansion and so on. Count it once.
    const bool repeated =
        std::ranges::any_of(above, [&](const ProfileNode* tactic) { return tactic->text == node.text; });
    above.push_back(&node);
    if (repeated) continue;
    std::vector<int> candidates;
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (trimmed(lines[i]).starts_with(node.text)) candidates.push_back(static_cast<int>(i) + 1);
    if (candidates.empty()) continue;
    const std::size_t nth = std::min(times_seen[node.text]++, candidates.size() - 1);
    double& ms = ms_by_line[candidates[nth]];
    ms = std::max(ms, node.ms);
  }
  std::vector<LineTime> times;
  times.reserve(ms_by_line.size());
  for (const auto& [line, ms] : ms_by_line)
    times.push_back({line, ms, std::string(trimmed(lines[static_cast<std::size_t>(line - 1)]))});
  std::ranges::stable_sort(times, [](const auto& a, const auto& b) { return a.ms > b.ms; });
  return times;
}

}  // namespace leanbridge::lean
