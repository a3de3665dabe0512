// A proof state as text, as agents paste it: the first half of each line is names, the second their type.

#include "leanbridge/base/ascii.hpp"

#include "type_pattern.hpp"

#include <algorithm>

namespace leanbridge::search {

namespace {

constexpr std::string_view kTurnstiles[] = {"⊢", "|-"};

// Where the first `⊢` is, and how long it is written.
std::pair<std::size_t, std::size_t> turnstile(std::string_view text, std::size_t from) {
  std::pair<std::size_t, std::size_t> first{std::string_view::npos, 0};
  for (const std::string_view each : kTurnstiles)
    if (const std::size_t at = text.find(each, from); at < first.first) first = {at, each.size()};
  return first;
}

// The target ends at a blank line, or before the lines of the next goal.
std::size_t end_of_target(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size()) {
    const std::size_t line_end = std::min(text.find('\n', end), text.size());
    if (end > begin) {
      const std::string_view line = text.substr(end, line_end - end);
      const bool goes_on = line.starts_with(' ') || line.starts_with('\t');
      if (trimmed(line).empty() || !goes_on) return end;
    }
    end = line_end + 1;
  }
  return text.size();
}

void read_hypothesis(std::string_view line, Variables& locals) {
  const auto tokens = term_tokens(line);
  const auto colon =
      std::find_if(tokens.begin(), tokens.end(), [](const TermToken& token) { return token.is(":"); });
  if (colon == tokens.end()) return;
  const Tokens type(colon + 1, tokens.end());
  std::string constant;
  if (type.size() == 1 && type[0].kind == TermToken::Kind::Word && !is_lean_keyword(type[0].text)) {
    const std::string_view known = constant_of(type[0].text);
    constant = known.empty() ? type[0].text : std::string(known);
    if (looks_like_variable(constant)) constant.clear();
  }
  for (auto name = tokens.begin(); name != colon; ++name)
    if (name->kind == TermToken::Kind::Word) locals.emplace(name->text, constant);
}

}  // namespace

GoalText first_goal(std::string_view text) {
  GoalText goal;
  const auto [at, size] = turnstile(text, 0);
  if (at == std::string_view::npos) return goal;
  const std::size_t end = end_of_target(text, at + size);
  goal.target = trimmed(text.substr(at + size, end - at - size));
  std::string_view before = text.substr(0, at);
  while (!before.empty()) {
    const std::size_t line_end = std::min(before.find('\n'), before.size());
    const std::string_view line = trimmed(before.substr(0, line_end));
    before.remove_prefix(std::min(line_end + 1, before.size()));
    if (line.empty() || line.starts_with("case ")) continue;
    read_hypothesis(line, goal.locals);
    goal.text += std::string(line) + "\n";
  }
  goal.text += "⊢ " + goal.target;
  return goal;
}

TypePattern pattern_of_goal(const GoalText& goal) {
  const auto tokens = term_tokens(goal.target);
  TypePattern pattern = pattern_of(tokens, goal.locals);
  if (!pattern.loogle.empty() && !pattern.loogle.starts_with("⊢")) pattern.loogle = "⊢ " + pattern.loogle;
  return pattern;
}

}  // namespace leanbridge::search
