#pragma once
/// From a statement as it is written to a pattern that can be searched for. Private to this module.

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

/// Names that stand for something, and the constant that is their type where it is that simple.
using Variables = std::map<std::string, std::string>;

/// The pattern of a statement: leading binders (`∀ a b : Nat,`, `{a : α} (h : P) :`) become variables and
/// premises, and what is free and looks like a variable, or is one of `known`, becomes `?a`.
TypePattern pattern_of(Tokens tokens, Variables known = {});
/// The same for Loogle's list of filters, separated by commas: quoted names, constants, terms, conclusions.
TypePattern pattern_of_filters(Tokens tokens);

/// The constant at the head of a statement's conclusion, "" where it is a variable.
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

/// Just after the bracket that closes the one at `open`; the end where none does.
std::size_t after_bracket(Tokens tokens, std::size_t open);

/// A type as it is compared with patterns, read once for all that is asked of it.
struct ReadType {
  explicit ReadType(std::string_view type);

  TypePattern pattern;
  std::vector<TermToken> tokens;  ///< of the pattern's text, as far as they are compared
};

/// type_match() for one pattern and many types.
class WantedType {
 public:
  explicit WantedType(const TypePattern& wanted);
  double match(const ReadType& type) const;

 private:
  std::vector<TermToken> pattern_;
};

}  // namespace leanbridge::search
