// How well a declaration answers a question, 0..1. It is made of:
//
// - coverage: how much of what is asked for it has. Each concept counts with its weight (rare terms say
//   more), fully where the name has it, less where only the type or the documentation does;
//
// - economy: how much of its name was asked for. Of Nat.add_comm and Nat.add_left_comm the former answers
//   "add comm";
//
// - standing, whatever the question: theorems, public, written by people, not deprecated, short, about what
//   many declarations are about (of Nat.add_zero and Fin.add_zero the former).
//
// coverage * (0.70 + 0.20 economy + 0.10 standing) is scaled to stay below 0.90. Above that are names: 1 for
// the name itself, 0.92 to 0.99 for one that ends with it or is it but for capitals.

#include "leanbridge/base/ascii.hpp"

#include "question.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

namespace leanbridge::index {

namespace {

constexpr double kInName = 1, kNamePrefix = 0.85, kInType = 0.6, kInDocumentation = 0.5, kNotTwice = 0.6;
constexpr double kBelowNames = 0.9;

class Candidate {
 public:
  explicit Candidate(const Declaration& declaration)
      : declaration_(declaration), name_(name_terms(declaration.name)) {
    add(name_.own, in_name_);
    add(name_.outer, in_name_);
    add(name_.joined, in_name_);
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

  double standing(const Question& question) const {
    double standing = 1;
    if (declaration_.kind != "theorem" && declaration_.kind != "axiom") standing -= 0.2;
    if (declaration_.kind == "instance") standing -= 0.2;
    if (declaration_.generated) standing -= 0.3;
    if (declaration_.is_private) standing -= 0.4;
    if (declaration_.deprecated) standing -= 0.3;
    const auto pieces = static_cast<double>(name_.own.size() + name_.outer.size());
    const double common =
        !name_.outer.empty() && question.common ? question.common(name_.outer.front()) : 0.5;
    return std::clamp(standing - 0.04 * pieces - 0.4 * (1 - common), 0.0, 1.0);
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
    // A term that is asked for twice is to stand twice in the name.
    if (alternative.terms.size() == 2 && alternative.terms[0] == alternative.terms[1] &&
        std::count(name_.own.begin(), name_.own.end(), alternative.terms[0]) < 2)
      return least * kNotTwice;
    return least;
  }
  double strength(const std::string& term, bool prefix) const {
    if (in_name_.contains(term)) return kInName;
    if (prefix && begins_any(name_.own, term)) return kInName;
    if (prefix && begins_any(name_.outer, term)) return kNamePrefix;
    if (in_type().contains(term)) return kInType;
    if (in_documentation().contains(term)) return kInDocumentation;
    return prefix ? kInDocumentation * 0.5 : 0;
  }
  // Cut only when the name does not have it: that is most of the work.
  const std::unordered_set<std::string>& in_type() const {
    if (!std::exchange(type_is_cut_, true)) {
      add(type_terms(declaration_.signature), in_type_);
      for (const std::string& constant : declaration_.constants) add(all_terms_of_name(constant), in_type_);
      add(constant_terms(declaration_.constants, declaration_.conclusion), in_type_);
    }
    return in_type_;
  }
  const std::unordered_set<std::string>& in_documentation() const {
    if (!std::exchange(documentation_is_cut_, true))
      add(prose_terms(declaration_.docstring), in_documentation_);
    return in_documentation_;
  }
  static bool begins_any(const Terms& terms, const std::string& begin) {
    return std::any_of(terms.begin(), terms.end(),
                       [&](const std::string& term) { return term.starts_with(begin); });
  }
  static bool is_asked(const std::string& piece, const Question& question) {
    if (std::find(question.said.begin(), question.said.end(), piece) != question.said.end()) return true;
    for (const Concept& one : question.concepts)
      for (const Alternative& alternative : one.alternatives)
        for (const std::string& term : alternative.terms)
          if (term == piece || (alternative.prefix && piece.starts_with(term))) return true;
    return false;
  }

  const Declaration& declaration_;
  NameTerms name_;
  std::unordered_set<std::string> in_name_;
  mutable std::unordered_set<std::string> in_type_, in_documentation_;
  mutable bool type_is_cut_ = false, documentation_is_cut_ = false;
};

double score_of_name(const std::string& name, const std::string& asked, double standing) {
  if (name == asked) return 1;
  const std::string small = lower_case(name), wanted = lower_case(asked);
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
  const double standing = candidate.standing(question);
  const double by_name = question.name.empty() ? 0 : score_of_name(declaration.name, question.name, standing);
  double all = 0, have = 0;
  for (const Concept& one : question.concepts) {
    all += one.weight;
    have += one.weight * candidate.strength(one);
  }
  const double coverage = all > 0 ? have / all : 1;  // a glob alone
  double score = kBelowNames * coverage * (0.7 + 0.2 * candidate.economy(question) + 0.1 * standing);
  // A part of a name as it was typed, and not only its pieces in some order.
  if (question.name.size() >= 3 &&
      lower_case(declaration.name).find(lower_case(question.name)) != std::string::npos)
    score = std::min(kBelowNames, score + 0.05);
  return std::max(score, by_name);
}

}  // namespace leanbridge::index
