#include "fill_candidates.hpp"

#include "core/text/lean_lexer.hpp"
#include "core/text/lean_names.hpp"
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace leanbridge::ide {

namespace {

constexpr std::size_t kMaxSplit = 3;
constexpr std::size_t kMaxUnfolded = 12;
constexpr int kMaxWitness = 12;

// Some begin with `intros`, which costs nothing and opens most statements.
constexpr const char* kCheap[] = {"rfl",    "assumption", "contradiction", "omega",  "simp",
                                  "decide", "simp_all",   "intros; omega", "ac_rfl", "norm_num",
                                  "ring",   "linarith",   "funext; simp"};
constexpr const char* kDear[] = {
    "intros; simp_all", "grind", "constructor <;> simp_all", "positivity", "tauto", "aesop", "nlinarith",
    "field_simp; ring", "gcongr"};

// The definitions that a goal mentions, as it writes them; a field, such as `t.mirror`, by the name in its
// declaration.
std::vector<std::string> mentioned_in(const StructuredGoal& goal,
                                      const std::vector<std::string>& definitions) {
  std::map<std::string_view, std::string_view> by_last_part;
  for (const std::string& name : definitions) by_last_part.emplace(text::last_part(name), name);
  std::vector<std::string> mentioned;
  const auto add = [&](std::string_view name) {
    if (mentioned.size() < kMaxUnfolded && std::count(mentioned.begin(), mentioned.end(), name) == 0)
      mentioned.emplace_back(name);
  };
  const auto is_hypothesis = [&](std::string_view name) {
    return std::any_of(goal.context.begin(), goal.context.end(),
                       [&](const Hypothesis& each) { return each.name == name; });
  };
  text::LeanLexer lexer(goal.pretty);
  while (const auto token = lexer.next()) {
    if (token->kind != text::LeanTokenKind::Word) continue;
    const std::string_view word =
        std::string_view(goal.pretty).substr(token->begin, token->end - token->begin);
    const std::string_view first = word.substr(0, word.find('.'));
    if (!first.empty() && !is_hypothesis(first)) {
      if (by_last_part.contains(text::last_part(word))) add(word);
      continue;
    }
    std::string_view fields = word;
    for (std::size_t dot; (dot = fields.find('.')) != std::string_view::npos;) {
      fields.remove_prefix(dot + 1);
      if (const auto known = by_last_part.find(fields.substr(0, fields.find('.')));
          known != by_last_part.end())
        add(known->second);
    }
  }
  return mentioned;
}

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

// ` [f, g]`, or "" without definitions.
std::string simp_list(const StructuredGoal& goal, const std::vector<std::string>& definitions) {
  const auto mentioned = mentioned_in(goal, definitions);
  return mentioned.empty() ? std::string() : fmt::format(" [{}]", fmt::join(mentioned, ", "));
}

// Cases of, and induction on, each of the first few variables.
Candidates splits_of(const StructuredGoal& goal) {
  Candidates all;
  for (const Hypothesis& hypothesis : goal.context) {
    if (!may_have_cases(hypothesis) || all.size() == 2 * kMaxSplit) continue;
    all.push_back("cases " + hypothesis.name);
    all.push_back("induction " + hypothesis.name);
  }
  return all;
}

}  // namespace

TacticSet::TacticSet()
    : cheap_(std::begin(kCheap), std::end(kCheap)), dear_(std::begin(kDear), std::end(kDear)) {}

Candidates TacticSet::all() const {
  Candidates all = cheap_;
  all.insert(all.end(), dear_.begin(), dear_.end());
  return all;
}

bool TacticSet::has(const std::string& tactic) const {
  return std::find(cheap_.begin(), cheap_.end(), tactic) != cheap_.end() ||
         std::find(dear_.begin(), dear_.end(), tactic) != dear_.end();
}

void TacticSet::remove(const std::set<std::string>& missing) {
  for (Candidates* each : {&cheap_, &dear_})
    std::erase_if(*each, [&](const std::string& tactic) { return missing.contains(tactic); });
}

void TacticSet::sort(const TacticCounts& counts) {
  counts.sort(cheap_);
  counts.sort(dear_);
}

std::vector<std::string> definitions_of(std::string_view source) {
  std::vector<std::string> names;
  for (const text::DeclarationSite& site : text::declarations(source))
    if (!site.name.empty() &&
        (site.keyword == "def" || site.keyword == "abbrev" || site.keyword == "instance"))
      names.push_back(site.name);
  return names;
}

Candidates by_definitions(const StructuredGoal& goal, const std::vector<std::string>& definitions,
                          const TacticSet& tactics) {
  const auto mentioned = mentioned_in(goal, definitions);
  if (mentioned.empty()) return {};
  const std::string list = fmt::format("{}", fmt::join(mentioned, ", "));
  const std::string plain = fmt::format("{}", fmt::join(mentioned, " "));
  Candidates all = {"simp [" + list + "]",           "simp_all [" + list + "]",
                    "unfold " + plain + "; omega",   "simp [" + list + "]; omega",
                    "simp only [" + list + "]; rfl", "intros; simp_all [" + list + "]"};
  if (tactics.has("grind")) all.push_back("grind [" + list + "]");
  if (tactics.has("ring")) all.push_back("unfold " + plain + "; ring");
  return all;
}

Candidates by_cases(const StructuredGoal& goal, const std::vector<std::string>& definitions,
                    const TacticSet& /*tactics*/) {
  const std::string list = simp_list(goal, definitions);
  Candidates all;
  if (goal.goal.starts_with("∃"))
    for (int i = 0; i <= kMaxWitness; ++i) all.push_back("exists " + std::to_string(i));
  for (const std::string& split : splits_of(goal)) {
    all.push_back(split + " <;> simp_all" + list);
    all.push_back(split + " <;> simp_all" + list + " <;> omega");
  }
  return all;
}

Candidates by_dear_cases(const StructuredGoal& goal, const std::vector<std::string>& definitions,
                         const TacticSet& tactics) {
  Candidates all;
  if (!tactics.has("grind")) return all;
  for (const std::string& split : splits_of(goal))
    all.push_back(split + " <;> grind" + simp_list(goal, definitions));
  return all;
}

Candidates by_search() {
  return {"exact?", "simp_all; exact?"};
}

}  // namespace leanbridge::ide
