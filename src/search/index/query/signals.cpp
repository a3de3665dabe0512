#include "signals.hpp"

#include "core/base/ascii.hpp"
#include "core/base/similar.hpp"
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace leanbridge::index {

namespace {

// The weights of the signals, out of kAll. Measured on every third entry of Mathlib's tables and on the
// queries for Lean's library; a compromise between the two (docs/search.md).
constexpr double kBm25 = 23, kCoverage = 8.5, kEconomy = 15.5, kSummary = 8, kUsers = 10.5, kDocumented = 6.5,
                 kTheorem = 2, kTheoremAsked = 1.5;
// For a sentence the theorem is sought that says it, which rarely has a docstring or users. Measured on 47
// sentences about Mathlib.
constexpr double kSentenceCoverage = 17, kSentenceUsers = 6, kSentenceTheorem = 8, kSentenceName = 10;
constexpr double kAll =
    kBm25 + kCoverage + kEconomy + kSummary + kUsers + kDocumented + kTheorem + kTheoremAsked;
constexpr double kHidden = -6, kAside = -4, kPiece = -0.8;

// The value of a concept, by the column that contains it.
constexpr double kInDocumentation = 0.8, kInType = 0.4;

constexpr double kBelowNames = 0.88;  // anything but the name itself scores less than this
constexpr double kLikeName = 0.8;     // share of equal letters from which on a name counts as misspelt
constexpr double kSaysAll = 0.95;     // coverage from which on a name of nothing but the query says it
constexpr double kManyUsers = 10;     // the logarithm of about 20,000

double worth_of(const sqlite::PhraseHit& hit) {
  if ((hit.columns & (kInName | kInWhole)) != 0) return 1;
  if ((hit.columns & (kInTitle | kInDoc)) != 0) return kInDocumentation;
  return hit.columns != 0 ? kInType : 0;
}

double coverage_of(const RankedDeclaration& candidate, const QueryPlan& plan, const Expression& expression) {
  const auto of_alternative = [&](const Alternative& alternative, const std::vector<std::size_t>& numbers) {
    if (numbers.empty()) return 0.0;
    double worth = 1;
    for (const std::size_t number : numbers)
      worth = std::min(worth, number < candidate.hits.size() ? worth_of(candidate.hits[number]) : 0);
    return worth * alternative.weight;
  };
  double all = 0, have = 0;
  for (std::size_t i = 0; i < plan.concepts.size(); ++i) {
    const Concept& one = plan.concepts[i];
    double best = 0;
    for (std::size_t j = 0; j < one.alternatives.size(); ++j)
      best = std::max(best, of_alternative(one.alternatives[j], expression.numbers[i][j]));
    all += one.weight;
    have += one.weight * best;
  }
  return all > 0 ? have / all : 1;  // the query is only a glob
}

// The share of a name that was asked for. Pieces of the last component count fully, those of namespaces half.
double economy_of(const RankedDeclaration& candidate, const NameTerms& name, std::uint64_t own) {
  std::uint64_t asked = 0;
  for (const sqlite::PhraseHit& hit : candidate.hits) asked |= hit.places;
  const double all = static_cast<double>(name.own.size()) + 0.5 * static_cast<double>(name.outer.size());
  return all > 0 ? std::min(1.0, (std::popcount(asked & own) + 0.5 * std::popcount(asked & ~own)) / all) : 0;
}

double summary_of(const RankedDeclaration& candidate) {
  std::uint64_t asked = 0;
  for (const sqlite::PhraseHit& hit : candidate.hits) asked |= hit.in_text;
  const int all = std::popcount(candidate.summary);
  return all > 0 ? std::popcount(asked & candidate.summary) / static_cast<double>(all) : 0;
}

// The share of the letters of a name that are spelt as in the query, 0..1. Compares as many components as the
// query has.
double likeness_of_name(std::string_view name, std::string_view asked) {
  constexpr std::size_t kMinLetters = 5, kMaxLetters = 60;
  std::size_t begin = name.size();
  for (auto dots = std::ranges::count(asked, '.') + 1; dots > 0 && begin != 0; --dots) {
    const std::size_t dot = begin == 0 ? std::string_view::npos : name.rfind('.', begin - 1);
    begin = dot == std::string_view::npos ? 0 : dot;
  }
  if (begin < name.size() && name[begin] == '.') ++begin;
  const std::string_view same = name.substr(begin);
  const std::size_t longer = std::max(same.size(), asked.size()),
                    shorter = std::min(same.size(), asked.size());
  if (asked.size() < kMinLetters || longer > kMaxLetters || 4 * (longer - shorter) > longer) return 0;
  return 1 - static_cast<double>(edit_distance(same, asked, longer)) / static_cast<double>(longer);
}

// 1 for the name itself, 0.99 for it in another case or number, at least 0.9 for its last components;
// `standing` orders equal ones.
double likeness(const std::string& name, const std::string& asked, double standing) {
  if (name == asked) return 1;
  const std::string small = lower_case(name), wanted = lower_case(asked);
  const auto ends = [](const std::string& whole, const std::string& end) {
    return whole.size() > end.size() && whole.ends_with(end) && whole[whole.size() - end.size() - 1] == '.';
  };
  if (small == wanted || stem(small) == stem(wanted)) return 0.99;
  if (ends(name, asked)) return 0.90 + 0.08 * standing;
  if (ends(small, wanted)) return 0.89 + 0.08 * standing;
  if (const double like = likeness_of_name(small, wanted); like >= kLikeName)
    return kBelowNames * like + 0.01 * standing;
  return 0;
}

// Whether it is a test or example (by the first component of its module), a step of a proof that has another
// name, or a part of Lean's own programs.
bool is_aside(const Declaration& declaration) {
  const std::string_view module = std::string_view(declaration.module);
  const std::string_view top = module.substr(0, module.find('.'));
  const std::string_view name = declaration.name;
  return top.ends_with("Test") || top.ends_with("Tests") || top.ends_with("Examples") || top == "Archive" ||
         top == "Counterexamples" || module.find("Deprecated") != std::string_view::npos ||
         name.ends_with("_aux") || name.find("_aux_") != std::string_view::npos ||
         name.starts_with("Lean.") || name.starts_with("Mathlib.Tactic.") ||
         name.starts_with("Mathlib.Meta.");
}

double scaled(std::size_t users) {
  return std::min(1.0, std::log1p(static_cast<double>(users)) / kManyUsers);
}

}  // namespace

std::string key_of(const Declaration& declaration) {
  return declaration.name + (declaration.is_private ? "\n" + declaration.module : "");
}

Standing standing_of(const Declaration& declaration, const Count& users) {
  Standing standing;
  standing.users = scaled(users(declaration.name));
  if (const std::size_t dot = declaration.name.find('.'); dot != std::string::npos)
    standing.subject = scaled(users(declaration.name.substr(0, dot)));
  standing.documented = !declaration.docstring.empty();
  standing.is_theorem = declaration.kind == "theorem" || declaration.kind == "axiom";
  standing.is_instance = declaration.kind == "instance";
  standing.hidden = declaration.generated || declaration.is_private || declaration.deprecated;
  standing.aside = is_aside(declaration);
  const NameTerms name = name_terms(declaration.name);
  standing.pieces = name.own.size() + name.outer.size();
  return standing;
}

Signals signals_of(const RankedDeclaration& candidate, const QueryPlan& plan, const Expression& expression,
                   double best, Standing standing) {
  Signals signals;
  const std::string& name = candidate.declaration.name;
  const NameTerms terms = name_terms(name);
  const std::uint64_t own = (std::uint64_t{1} << std::min<std::size_t>(terms.own.size(), 63)) - 1;
  signals.standing = standing;
  signals.asks_theorem = plan.asks_theorem;
  signals.is_sentence = plan.is_sentence;
  signals.bm25 = best > 0 ? std::clamp(candidate.bm25 / best, 0.0, 1.0) : 0;
  signals.coverage = coverage_of(candidate, plan, expression);
  signals.economy = economy_of(candidate, terms, own);
  signals.summary = summary_of(candidate);
  if (!plan.name.empty()) signals.name = likeness(name, plan.name, (score_of(standing) + standing.users) / 2);
  return signals;
}

double score_of(const Signals& signals) {
  const Standing& standing = signals.standing;
  // A short name is no advantage if it lacks most of the query.
  double sum = kBm25 * signals.bm25 + kEconomy * signals.economy * signals.coverage +
               kPiece * static_cast<double>(standing.pieces);
  if (signals.is_sentence) {
    sum += kSentenceCoverage * signals.coverage + kSentenceUsers * standing.users;
    if (standing.is_theorem) sum += kSentenceTheorem;
    if (signals.economy >= 1 && signals.coverage >= kSaysAll) sum += kSentenceName;
  } else {
    sum += kCoverage * signals.coverage + kSummary * signals.summary + kUsers * standing.users;
    if (standing.documented) sum += kDocumented;
    if (signals.asks_theorem && standing.is_theorem) sum += kTheoremAsked;
  }
  if (standing.is_theorem) sum += kTheorem;
  if (standing.hidden) sum += kHidden;
  if (standing.aside) sum += kAside;
  return std::max(signals.name, kBelowNames * std::clamp(sum / kAll, 0.0, 1.0));
}

std::string text_of(const Signals& signals) {
  const Standing& standing = signals.standing;
  const std::pair<std::string_view, double> numbers[] = {
      {"name", signals.name},       {"bm25", signals.bm25},       {"coverage", signals.coverage},
      {"economy", signals.economy}, {"summary", signals.summary}, {"users", standing.users}};
  const std::pair<std::string_view, bool> flags[] = {{"documented", standing.documented},
                                                     {"theorem", standing.is_theorem},
                                                     {"hidden", standing.hidden},
                                                     {"aside", standing.aside}};
  std::string text;
  for (const auto& [name, value] : numbers)
    if (value > 0) text += fmt::format(", {} {:.2f}", name, value);
  for (const auto& [name, is_set] : flags)
    if (is_set) text.append(", ").append(name);
  return text.substr(std::min<std::size_t>(text.size(), 2));
}

double score_of(const Standing& standing) {
  double sum = 1 - 0.04 * static_cast<double>(standing.pieces) - 0.4 * (1 - standing.subject);
  if (!standing.is_theorem) sum -= 0.2;
  if (standing.is_instance) sum -= 0.2;
  if (standing.hidden) sum -= 0.3;
  if (standing.aside) sum -= 0.3;
  return std::clamp(sum, 0.0, 1.0);
}

}  // namespace leanbridge::index
