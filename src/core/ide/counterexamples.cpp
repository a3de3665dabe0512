#include "counterexamples.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace leanbridge::ide {

namespace {

constexpr std::size_t kMaxTried = 48;
constexpr std::size_t kMaxVariables = 6;
constexpr std::size_t kMaxDepth = 3;  // depth of nested types

using Values = std::vector<std::string>;

bool is_universe(std::string_view type) {
  return type == "Type" || type.starts_with("Type ") || type.starts_with("Sort ") || type == "Type*";
}

// The type that takes the place of a type variable.
using Types = std::map<std::string, std::string, std::less<>>;

Values values_of(std::string_view type, const Types& types, std::size_t depth = 0);

Values plain_values(std::string_view type) {
  if (type == "Nat" || type == "ℕ") return {"0", "1", "2", "3"};
  if (type == "Int" || type == "ℤ" || type == "Rat" || type == "ℚ" || type == "ℝ")
    return {"0", "1", "(-1)", "2"};
  if (type == "Bool") return {"true", "false"};
  if (type == "Prop") return {"True", "False"};
  if (type == "String") return {"\"\"", "\"a\""};
  if (type == "Unit") return {"()"};
  if (type == "Fin 2" || type == "Fin 3") return {"0", "1"};
  return {};
}

Values lists_of(const std::string& open, const Values& inner) {
  if (inner.empty()) return {};
  Values all = {open + "]", open + inner[0] + "]"};
  if (inner.size() > 1) {
    all.push_back(open + inner[1] + ", " + inner[0] + "]");
    all.push_back(open + inner[1] + "]");
  }
  return all;
}

Values options_of(const Values& inner) {
  if (inner.empty()) return {};
  Values all = {"none"};
  for (const std::string& value : inner) all.push_back("(some " + value + ")");
  return all;
}

Values functions(std::string_view from, std::string_view to, const Types& types, std::size_t depth) {
  Values all;
  for (const std::string& value : values_of(to, types, depth))
    if (all.size() < 2) all.push_back("(fun _ => " + value + ")");
  if (from == to && !all.empty()) all.emplace_back("(fun x => x)");
  if (to == "Prop")
    for (const std::string& value : values_of(from, types, depth))
      if (all.size() < 4) all.push_back("(fun x => x = " + value + ")");
  return all;
}

Values pairs(const Values& lefts, const Values& rights) {
  Values all;
  for (const std::string& left : lefts)
    for (const std::string& right : rights)
      if (all.size() < 4) all.push_back("(" + left + ", " + right + ")");
  return all;
}

// Small values of a type, written as terms; empty: of none that is known here.
Values values_of(std::string_view type, const Types& types, std::size_t depth) {
  if (depth > kMaxDepth) return {};
  if (const auto variable = types.find(type); variable != types.end())
    return values_of(variable->second, {}, depth + 1);
  const auto inner = [&](std::string_view part) { return values_of(part, types, depth + 1); };
  if (type.starts_with("(") && type.ends_with(")")) return inner(type.substr(1, type.size() - 2));
  if (Values plain = plain_values(type); !plain.empty()) return plain;
  if (constexpr std::string_view kList = "List "; type.starts_with(kList))
    return lists_of("[", inner(type.substr(kList.size())));
  if (constexpr std::string_view kArray = "Array "; type.starts_with(kArray))
    return lists_of("#[", inner(type.substr(kArray.size())));
  if (constexpr std::string_view kOption = "Option "; type.starts_with(kOption))
    return options_of(inner(type.substr(kOption.size())));
  constexpr std::string_view kArrow = " → ", kTimes = " × ";
  if (const std::size_t at = type.find(kArrow); at != type.npos)
    return functions(type.substr(0, at), type.substr(at + kArrow.size()), types, depth + 1);
  if (const std::size_t at = type.find(kTimes); at != type.npos)
    return pairs(inner(type.substr(0, at)), inner(type.substr(at + kTimes.size())));
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
  Types types;
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

}  // namespace leanbridge::ide
