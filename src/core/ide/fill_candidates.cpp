#include "fill_candidates.hpp"

#include "core/text/lean_lexer.hpp"
#include "core/text/lean_names.hpp"
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace leanbridge::ide {

namespace {

constexpr std::size_t kMaxAlone = 3;  // definitions, variables and hypotheses, one by one
constexpr std::size_t kMaxUnfolded = 12;
constexpr int kMaxWitness = 12;

// Some begin with `intros`, which costs nothing and opens most statements.
constexpr const char* kCheap[] = {"rfl",    "assumption", "contradiction", "omega",  "simp",
                                  "decide", "simp_all",   "intros; omega", "ac_rfl", "norm_num",
                                  "ring",   "linarith",   "funext; simp"};
constexpr const char* kDear[] = {"intros; simp_all", "grind", "lia",   "constructor <;> simp_all",
                                 "positivity",       "tauto", "aesop", "nlinarith",
                                 "field_simp; ring", "gcongr"};
// Tactics that only the patterns below use: looked for, too, and not tried alone.
constexpr const char* kParts[] = {"fun_induction id", "fun_cases id", "solve_by_elim"};

// By stage, between bars. %d is each definition that the goal mentions, %v each variable, %h each hypothesis
// by constructors, %l each lemma, %n each witness; %D is a list of all such definitions, %A of these and the
// lemmas, %L of the lemmas, %U is %D without commas, %S is ` [%D]`, or nothing, and %O is %S without the %d
// before it. A pattern without anything to put in is left out.
constexpr std::string_view kPatterns[kFillStages] = {
    "simp [%D]|simp_all [%D]|unfold %U; omega|simp [%D]; omega|simp only [%D]; rfl|intros; simp_all [%D]|"
    "grind [%D]|unfold %U; ring",
    "unfold %d; (repeat' split) <;> (try simp_all%O) <;> omega|"
    "simp only [%D]; (repeat' split) <;> (try simp_all%S) <;> omega",
    "exists %n|cases %v <;> simp_all%S|cases %v <;> simp_all%S <;> omega|induction %v <;> simp_all%S|"
    "induction %v <;> simp_all%S <;> omega",
    "simp [%A]|simp_all [%A]|apply %l <;> assumption|apply %l <;> simp_all%S|unfold %d; solve_by_elim [%L]|"
    "unfold %d; (repeat' split) <;> (try simp_all [%A]) <;> omega",
    "cases %h <;> simp_all%S|induction %h <;> simp_all%S|induction %h <;> constructor <;> simp_all%S",
    "fun_cases %d <;> (try simp_all%S) <;> omega|fun_induction %d <;> (try simp_all [%A]) <;> omega|"
    "induction %v <;> (try simp only%S) <;> (repeat' split) <;> (try simp_all [%A]) <;> omega",
    "",  // TacticSet::dear()
    "exact?|simp_all; exact?",
    "grind [%A]|cases %v <;> grind%S|induction %v <;> grind%S"};

// Whether the variable may be of an inductive type with cases: not of a proposition, function or type.
bool may_have_cases(const Hypothesis& hypothesis) {
  const std::string_view type = hypothesis.type;
  const bool has_head = !type.empty() && ((type[0] >= 'A' && type[0] <= 'Z') || type.starts_with("ℕ"));
  if (!has_head || !hypothesis.can_be_named() || hypothesis.value || hypothesis.is_instance == true)
    return false;
  if (type == "Prop" || type.starts_with("Type") || type.starts_with("Sort")) return false;
  for (const std::string_view sign : {"=", "<", ">", "≤", "≥", "≠", "→", "↔", "∈", "∣", "∧", "∨"})
    if (type.find(sign) != std::string_view::npos) return false;
  return true;
}

// Whether constructors make the hypothesis: of the project's predicates, or Lean's.
bool is_constructed(const Hypothesis& hypothesis, const ProjectNames& names) {
  const std::string_view type = hypothesis.type, head = type.substr(0, type.find(' '));
  bool is_made = std::ranges::any_of(
      names.predicates, [&](const auto& name) { return text::last_part(name) == text::last_part(head); });
  for (const std::string_view sign : {"∧", "∨", "∃"}) is_made = is_made || type.find(sign) != type.npos;
  return is_made && hypothesis.can_be_named() && !hypothesis.value;
}

// Puts what the goal is about into a pattern.
struct Filler {
  std::map<char, std::vector<std::string>> lists;

  std::string joined(char which, const std::string& chosen) const {
    std::vector<std::string> list = lists.at(which == 'L' ? 'l' : 'D');
    if (which == 'O') std::erase(list, chosen);
    if (which == 'A') list.insert(list.end(), lists.at('l').begin(), lists.at('l').end());
    const std::string all = fmt::format("{}", fmt::join(list, which == 'U' ? " " : ", "));
    return (which == 'S' || which == 'O') && !all.empty() ? " [" + all + "]" : all;
  }
  void add(const std::string& done, std::string_view pattern, Candidates& all,
           const std::string& chosen = "") const {
    const std::size_t at = pattern.find('%');
    const std::string text = done + std::string(pattern.substr(0, at));
    if (at == pattern.npos) return all.push_back(text);
    const char which = pattern[at + 1];
    const std::string_view rest = pattern.substr(at + 2);
    if (which >= 'a')
      for (const std::string& each : lists.at(which)) add(text + each, rest, all, each);
    else if (const std::string put = joined(which, chosen); which == 'S' || which == 'O' || !put.empty())
      add(text + put, rest, all, chosen);
  }
};

}  // namespace

TacticSet::TacticSet()
    : cheap_(std::begin(kCheap), std::end(kCheap)), dear_(std::begin(kDear), std::end(kDear)) {}

Candidates TacticSet::all() const {
  Candidates all = cheap_;
  all.insert(all.end(), dear_.begin(), dear_.end());
  all.insert(all.end(), std::begin(kParts), std::end(kParts));
  return all;
}

bool TacticSet::has(const std::string& tactic) const {
  return std::ranges::find(cheap_, tactic) != cheap_.end() || std::ranges::find(dear_, tactic) != dear_.end();
}

bool TacticSet::can_run(std::string_view pattern) const {
  return std::ranges::none_of(missing_, [&](const std::string& tactic) {
    return pattern.find(tactic.substr(0, tactic.find(' '))) != pattern.npos;
  });
}

void TacticSet::remove(const std::set<std::string>& missing) {
  missing_ = missing;
  for (Candidates* each : {&cheap_, &dear_})
    std::erase_if(*each, [&](const std::string& tactic) { return missing.contains(tactic); });
}

void TacticSet::sort(const TacticCounts& counts) {
  counts.sort(cheap_);
  counts.sort(dear_);
}

void ProjectNames::add(std::string_view source) {
  for (const text::DeclarationSite& site : text::declarations(source)) {
    if (site.name.empty()) continue;
    if (site.keyword == "def" || site.keyword == "abbrev" || site.keyword == "instance")
      definitions.push_back(site.name);
    else if (site.keyword == "inductive" &&
             source.substr(site.start, site.end - site.start).find("Prop") != source.npos)
      predicates.push_back(site.name);
  }
}

std::vector<std::string> mentioned_in(const StructuredGoal& goal,
                                      const std::vector<std::string>& definitions) {
  std::map<std::string_view, std::string_view> by_last_part;
  for (const std::string& name : definitions) by_last_part.emplace(text::last_part(name), name);
  std::set<std::string_view> hypotheses;
  for (const Hypothesis& each : goal.context) hypotheses.insert(each.name);
  std::vector<std::string> mentioned;
  text::LeanLexer lexer(goal.pretty);
  while (const auto token = lexer.next()) {
    if (token->kind != text::LeanTokenKind::Word) continue;
    const auto word = std::string_view(goal.pretty).substr(token->begin, token->end - token->begin);
    const auto parts = text::parts_of(word);
    const bool has_fields = parts.front().empty() || hypotheses.contains(parts.front());
    for (std::size_t i = has_fields ? 1 : parts.size() - 1; i < parts.size(); ++i) {
      const auto known = by_last_part.find(parts[i]);
      if (known == by_last_part.end() || mentioned.size() == kMaxUnfolded) continue;
      const std::string_view name = has_fields ? known->second : word;
      if (std::ranges::count(mentioned, name) == 0) mentioned.emplace_back(name);
    }
  }
  return mentioned;
}

Candidates candidates_of(std::size_t stage, const StructuredGoal& goal, const ProjectNames& names,
                         std::vector<std::string> lemmas, const TacticSet& tactics) {
  const auto mentioned = mentioned_in(goal, names.definitions);
  Filler filler{{{'D', mentioned}, {'d', {}}, {'l', std::move(lemmas)}, {'v', {}}, {'h', {}}, {'n', {}}}};
  const auto add = [&](char which, const std::string& name) {
    if (filler.lists[which].size() < kMaxAlone) filler.lists[which].push_back(name);
  };
  std::for_each(mentioned.rbegin(), mentioned.rend(), [&](const auto& name) { add('d', name); });
  for (const Hypothesis& hypothesis : goal.context) {
    if (may_have_cases(hypothesis)) add('v', hypothesis.name);
    if (is_constructed(hypothesis, names)) add('h', hypothesis.name);
  }
  for (int i = 0; goal.goal.starts_with("∃") && i <= kMaxWitness; ++i)
    filler.lists['n'].push_back(std::to_string(i));
  Candidates all = kPatterns[stage].empty() ? tactics.dear() : Candidates();
  for (std::string_view rest = kPatterns[stage]; !rest.empty();) {
    const std::string_view pattern = rest.substr(0, rest.find('|'));
    rest.remove_prefix(std::min(pattern.size() + 1, rest.size()));
    if (tactics.can_run(pattern)) filler.add("", pattern, all);
  }
  return all;
}

}  // namespace leanbridge::ide
