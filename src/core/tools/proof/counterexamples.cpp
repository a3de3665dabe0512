#include "counterexamples.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace leanbridge::tools {

namespace {

constexpr std::size_t kMaxTried = 48;
constexpr std::size_t kMaxVariables = 6;
constexpr std::size_t kMaxDepth = 3;  // depth of nested types

using Values = std::vector<std::string>;

bool is_universe(std::string_view type) {
  return type == "Type" || type.starts_with("Type ") || type.starts_with("Sort ") || type == "Type*";
}

// Small values of a type, written as terms; empty: no values are known for it.
Values values_of(std::string_view type, const std::map<std::string, std::string, std::less<>>& types,
                 std::size_t depth = 0) {
  if (depth > kMaxDepth) return {};
  if (const auto variable = types.find(type); variable != types.end())
    return values_of(variable->second, {}, depth + 1);
  if (type.starts_with("(") && type.ends_with(")"))
    return values_of(type.substr(1, type.size() - 2), types, depth + 1);
  if (type == "Nat" || type == "ℕ") return {"0", "1", "2", "3"};
  if (type == "Int" || type == "ℤ" || type == "Rat" || type == "ℚ" || type == "ℝ")
    return {"0", "1", "(-1)", "2"};
  if (type == "Bool") return {"true", "false"};
  if (type == "Prop") return {"True", "False"};
  if (type == "String") return {"\"\"", "\"a\""};
  if (type == "Unit") return {"()"};
  if (type == "Fin 2" || type == "Fin 3") return {"0", "1"};
  for (const std::string_view list : {"List ", "Array "}) {
    if (!type.starts_with(list)) continue;
    const std::string open = list == "List " ? "[" : "#[";
    Values all = {open + "]"};
    const Values inner = values_of(type.substr(list.size()), types, depth + 1);
    if (inner.empty()) return {};
    all.push_back(open + inner[0] + "]");
    if (inner.size() > 1) {
      all.push_back(open + inner[1] + ", " + inner[0] + "]");
      all.push_back(open + inner[1] + "]");
    }
    return all;
  }
  if (constexpr std::string_view kOption = "Option "; type.starts_with(kOption)) {
    Values all = {"none"};
    for (const std::string& value : values_of(type.substr(kOption.size()), types, depth + 1))
      all.push_back("(some " + value + ")");
    return all.size() > 1 ? all : Values();
  }
  if (constexpr std::string_view kArrow = " → "; type.find(kArrow) != std::string_view::npos) {
    const std::size_t arrow = type.find(kArrow);
    const std::string_view from = type.substr(0, arrow), to = type.substr(arrow + kArrow.size());
    Values all;
    for (const std::string& value : values_of(to, types, depth + 1))
      if (all.size() < 2) all.push_back("(fun _ => " + value + ")");
    if (from == to && !all.empty()) all.emplace_back("(fun x => x)");
    if (to == "Prop")
      for (const std::string& value : values_of(from, types, depth + 1))
        if (all.size() < 4) all.push_back("(fun x => x = " + value + ")");
    return all;
  }
  if (const std::size_t times = type.find(" × "); times != std::string_view::npos) {
    constexpr std::size_t kTimes = std::string_view(" × ").size();
    Values all;
    for (const std::string& left : values_of(type.substr(0, times), types, depth + 1))
      for (const std::string& right : values_of(type.substr(times + kTimes), types, depth + 1))
        if (all.size() < 4) all.push_back("(" + left + ", " + right + ")");
    return all;
  }
  return {};
}

// All combinations of choices, smallest sum of indices first.
std::vector<std::vector<std::size_t>> choices(const std::vector<std::size_t>& counts) {
  std::size_t most = 0;
  for (const std::size_t count : counts) most += count - 1;
  std::vector<std::vector<std::size_t>> all;
  std::vector<std::size_t> chosen(counts.size(), 0);
  const auto choose = [&](auto self, std::size_t at, std::size_t left) -> void {
    if (all.size() >= kMaxTried) return;
    if (at == counts.size()) {
      if (left == 0) all.push_back(chosen);
      return;
    }
    for (std::size_t i = 0; i < counts[at] && i <= left; ++i) {
      chosen[at] = i;
      self(self, at + 1, left - i);
    }
  };
  for (std::size_t sum = 0; sum <= most; ++sum) choose(choose, 0, sum);
  return all;
}

/// `(a b : Nat)` in front of a goal.
struct Binder {
  std::vector<std::string> names;
  std::string type;
};

// The variables at the beginning of a goal such as `∀ (a b : Nat), a ≤ b`.
std::vector<Binder> binders_of(std::string_view goal) {
  constexpr std::string_view kForAll = "∀ ";
  std::vector<Binder> all;
  while (goal.starts_with(kForAll)) {
    goal.remove_prefix(kForAll.size());
    while (goal.starts_with("(") || goal.starts_with("{")) {
      const std::size_t colon = goal.find(" : "), close = goal.find_first_of(")}");
      if (colon == std::string_view::npos || close == std::string_view::npos || colon > close) return all;
      Binder binder{{}, std::string(goal.substr(colon + 3, close - colon - 3))};
      for (std::string_view names = goal.substr(1, colon - 1); !names.empty();) {
        const std::size_t end = std::min(names.find(' '), names.size());
        binder.names.emplace_back(names.substr(0, end));
        names.remove_prefix(std::min(end + 1, names.size()));
      }
      all.push_back(std::move(binder));
      goal.remove_prefix(close + 1);
      if (goal.starts_with(" ")) goal.remove_prefix(1);
    }
    if (!goal.starts_with(", ")) return all;
    goal.remove_prefix(2);
  }
  return all;
}

}  // namespace

std::vector<Counterexample> counterexamples(const StructuredGoal& goal,
                                            const std::vector<std::string>& deciders) {
  struct Variable {
    std::string name;
    Values values;  ///< empty: the variable is a proposition, which must be proved
  };
  std::map<std::string, std::string, std::less<>> types;  // the concrete type that replaces a type variable
  std::vector<Variable> variables;
  std::string reverted;
  std::size_t data = 0;
  const auto add = [&](const std::string& name, const std::string& type) {
    Variable variable{name, {}};
    if (is_universe(type)) {
      types.emplace(name, "Nat");
      variable.values = {"Nat"};
    } else {
      variable.values = values_of(type, types);
      data += variable.values.empty() ? 0 : 1;
    }
    variables.push_back(std::move(variable));
  };
  for (const Hypothesis& hypothesis : goal.context) {
    if (!hypothesis.can_be_named() || hypothesis.value || hypothesis.is_instance == true) return {};
    reverted += " " + hypothesis.name;
    add(hypothesis.name, hypothesis.type);
  }
  for (const Binder& binder : binders_of(goal.goal))
    for (const std::string& name : binder.names) add(name, binder.type);
  if (data > kMaxVariables) return {};
  std::string decider = "(by first";
  for (const std::string& tactic : deciders) decider += " | (" + tactic + "; done)";
  decider += " | fail)";  // without `fail`, Lean would put a sorry in place of the term and report no error
                          // here
  std::vector<std::size_t> counts;
  for (const Variable& variable : variables)
    counts.push_back(std::max<std::size_t>(1, variable.values.size()));
  const std::string begin =
      (reverted.empty() ? std::string() : "revert" + reverted + "; ") +
      "refine (fun _ _ => leanbridge.left : ∀ P : Prop, ¬P → P) _ ?_; exact fun holds => absurd (holds";
  std::vector<Counterexample> all;
  for (const std::vector<std::size_t>& choice : choices(counts)) {
    Counterexample made;
    made.tactic = begin;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const Values& values = variables[i].values;
      made.tactic += " " + (values.empty() ? decider : values[choice[i]]);
      if (values.empty()) continue;
      made.values += (made.values.empty() ? "" : ", ") + variables[i].name + " = " + values[choice[i]];
    }
    made.tactic += ") " + decider;
    all.push_back(std::move(made));
  }
  return all;
}

}  // namespace leanbridge::tools
