#pragma once
/// The terms under which the full-text index has a statement, so that few statements must be matched with a
/// pattern: the constants at places of the conclusion, the constants below constants, and which places have
/// the same variable. Terms are hashed; what they find must be matched.

#include "search/index/query/words.hpp"
#include "statement.hpp"
#include "term_parser.hpp"

#include <vector>

namespace leanbridge::index {

Terms statement_terms(const TypeTerm& statement);

/// All of these must be fulfilled, each by one of its terms.
using TermConditions = std::vector<Terms>;

enum class Wanted {
  SameForm,    ///< the conclusion is the pattern but for names: variables are variables, equal ones are equal
  Conclusion,  ///< the conclusion is an instance of the pattern
  General,     ///< the pattern is an instance of the conclusion
  Anywhere     ///< the pattern occurs in the statement
};

/// What a completed() pattern asks of the statements that it fits. Empty: nothing that the index knows.
TermConditions conditions_for(const WrittenStatement& pattern, Wanted wanted);

}  // namespace leanbridge::index
