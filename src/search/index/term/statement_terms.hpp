#pragma once
/// The terms of a statement in the full-text index, which leave few statements to match with a pattern: the
/// constants at places of the conclusion, the constants below constants, and the places with the same
/// variable. Terms are hashed, so their results must be matched.

#include "search/index/query/words.hpp"
#include "statement.hpp"
#include "term_parser.hpp"

#include <vector>

namespace leanbridge::index {

Terms statement_terms(const TypeTerm& statement);

/// Conditions that must all be fulfilled, each by one of its terms.
using TermConditions = std::vector<Terms>;

enum class Wanted {
  SameForm,    ///< the conclusion is the pattern except for names: its variables are variables, and equal
               ///< ones are equal
  Conclusion,  ///< the conclusion is an instance of the pattern
  General,     ///< the pattern is an instance of the conclusion
  Anywhere     ///< the pattern occurs in the statement
};

/// The conditions that a completed() pattern sets for the statements that fit it. Empty: the index cannot
/// help.
TermConditions conditions_for(const WrittenStatement& pattern, Wanted wanted);

}  // namespace leanbridge::index
