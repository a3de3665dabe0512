// How well a declaration answers a question, 0..1.
//
// coverage   how much of what is asked for it has: each concept counts with its weight (rare terms say more),
// fully
//            where the name has it, less where only the type or the documentation does
// economy    how much of its name was asked for: of Nat.add_comm and Nat.add_left_comm the former answers
// "add comm" standing   whatever the question: theorems, public, written by people, not deprecated, short
//
// score = coverage * (0.70 + 0.20 economy + 0.10 standing), below 0.90. Above that are names: 1 for the name
// itself, 0.92 to 0.99 for one that ends with it or is it but for capitals.

#include "question.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace leanbridge::index {

namespace {

constexpr double kInName = 1, kNamePrefix = 0.85, kInType = 0.6, kInDocumentation = 0.5;
constexpr double kBelowNames = 0.9;

class Candidate {
 public:
  explicit Candidate(const Declaration& declaration)
      : declaration_(declaration), name_(name_terms(declaration.name)) {
    add(name_.own, in_name_);
    add(name_.outer, in_name_);
    add(name_.joined, in_name_);
    add(type_terms(declaration.signature), in_type_);
    for (const std::string& constant : declaration.constants) add(all_terms_of_name(constant), in_type_);
    add(constant_terms(declaration.constants, declaration.conclusion), in_type_);
    add(prose_terms(declaration.docstring), in_documentation_);
  }

  double strength(const Concept& one) const {
    double best = 0;
    for (const Alternative& alternative : one.alternatives)
      best = std::max(best, alternative.weight * strength(alternative));
    return best;
  }

  // The pieces of the last component count fully, those of namespaces half.
  double economy(const Question& question) const {
    double all = 0, asked = 0;
    const auto count = [&](const Terms& terms, double weight) {
      for (const std::string& term : terms) {
        all += weight;
        if (is_asked(term, question)) asked += weight;
      }
    };
    count(name_.own, 1);
    count(name_.outer, 0.5);
    return all > 0 ? asked / all : 0;
  }

  double standing() const {
    double standing = 1;
    if (declaration_.kind != "theorem" && declaration_.kind != "axiom") standing -= 0.2;
    if (declaration_.kind == "instance") standing -= 0.2;
    if (declaration_.generated) standing -= 0.3;
    if (declaration_.is_private) standing -= 0.4;
    if (declaration_.deprecated) standing -= 0.3;
    const auto pieces = static_cast<double>(name_.own.size() + name_.outer.size());
    return std::max(0.0, standing - 0.04 * pieces);
  }

 private:
  static void add(const Terms& terms, std::unordered_set<std::string>& set) {
    set.insert(terms.begin(), terms.end());
  }

  double strength(const Alternative& alternative) const {
    double least = 1;
    for (std::size_t i = 0; i < alternative.terms.size(); ++i)
      least = std::min(
          least, strength(alternative.terms[i], alternative.prefix && i + 1 == alternative.terms.size()));
    return least;
  }
  double strength(const std::string& term, bool prefix) const {
    if (in_name_.contains(term)) return kInName;
    if (prefix && begins_any(name_.own, term)) return kInName;
    if (prefix && begins_any(name_.outer, term)) return kNamePrefix;
    if (in_type_.contains(term)) return kInType;
    if (in_documentation_.contains(term)) return kInDocumentation;
    return prefix ? kInDocumentation * 0.5 : 0;
  }
  static bool begins_any(const Terms& terms, const std::string& begin) {
    return std::any_of(terms.begin(), terms.end(),
                       [&](const std::string& term) { return term.starts_with(begin); });
  }
  static bool is_asked(const std::string& piece, const Question& question) {
    for (const Concept& one : question.concepts)
      for (const Alternative& alternative : one.alternatives)
        for (const std::string& term : alternative.terms)
          if (term == piece || (alternative.prefix && piece.starts_with(term))) return true;
    return false;
  }

  const Declaration& declaration_;
  NameTerms name_;
  std::unordered_set<std::string> in_name_, in_type_, in_documentation_;
};

double score_of_name(const std::string& name, const std::string& asked, double standing) {
  if (name == asked) return 1;
  const std::string small = lower(name), wanted = lower(asked);
  const bool ends =
      name.size() > asked.size() && name.ends_with(asked) && name[name.size() - asked.size() - 1] == '.';
  if (ends) return 0.95 + 0.04 * standing;
  const bool ends_small = small.size() > wanted.size() && small.ends_with(wanted) &&
                          small[small.size() - wanted.size() - 1] == '.';
  return small == wanted || ends_small ? 0.92 + 0.03 * standing : 0;
}

}  // namespace

double score_of(const Declaration& declaration, const Question& question) {
  const Candidate candidate(declaration);
  const double standing = candidate.standing();
  const double by_name = question.name.empty() ? 0 : score_of_name(declaration.name, question.name, standing);
  double all = 0, have = 0;
  for (const Concept& one : question.concepts) {
    all += one.weight;
    have += one.weight * candidate.strength(one);
  }
  const double coverage = all > 0 ? have / all : 1;  // a glob alone
  double score = kBelowNames * coverage * (0.7 + 0.2 * candidate.economy(question) + 0.1 * standing);
  // A part of a name as it was typed, and not only its pieces in some order.
  if (question.name.size() >= 3 && lower(declaration.name).find(lower(question.name)) != std::string::npos)
    score = std::min(kBelowNames, score + 0.05);
  return std::max(score, by_name);
}

}  // namespace leanbridge::index
