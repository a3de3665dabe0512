#pragma once
/// Turns written statements into patterns to search for, and matches types against them.

#include "leanbridge/index/type_fit.hpp"
#include "leanbridge/search/query.hpp"

#include "lean_terms.hpp"

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::search {

using Tokens = std::span<const TermToken>;

/// Variables, with the constant that is their type if it is that simple.
using Variables = std::map<std::string, std::string>;

/// The pattern of a statement. Leading binders (`∀ a b : Nat,`, `{a : α} (h : P) :`) become variables and
/// premises; free names that look like variables or are in `known` become `?a`.
TypePattern pattern_of(Tokens tokens, Variables known = {});
/// The same for Loogle's comma-separated filters: quoted names, constants, terms, conclusions.
TypePattern pattern_of_filters(Tokens tokens);

/// The constant at the head of a statement's conclusion; "": a variable.
std::string conclusion_of(Tokens tokens, const Variables& variables);

/// One goal of a proof state.
struct GoalText {
  std::string text;  ///< hypotheses and target, without `case`
  Variables locals;
  std::string target;
};
/// The first goal of a text with `⊢` (or `|-`).
GoalText first_goal(std::string_view text);
TypePattern pattern_of_goal(const GoalText& goal);

/// The index after the bracket that closes the one at `open`; the end if none does.
std::size_t after_bracket(Tokens tokens, std::size_t open);

/// A type, parsed once to be compared with patterns.
struct ReadType {
  explicit ReadType(std::string_view type);

  std::string text;
  TypePattern pattern;
  std::vector<TermToken> tokens;  ///< of the pattern's text, up to a limit
};

/// The score of a type by how well it fits (index::kWholeFit): at least 0.9 for the whole conclusion, 0.85
/// for a part, else 0.
double score_of_fit(double fit);
/// From this on, a type fits its pattern.
inline constexpr double kFittingScore = 0.85;

/// type_match() for one pattern and many types.
class WantedType {
 public:
  explicit WantedType(const TypePattern& wanted);
  double match(const ReadType& type) const;

 private:
  std::vector<TermToken> pattern_;
  index::TypePatterns patterns_;
};

}  // namespace leanbridge::search
