#pragma once
/// How good an answer a declaration is: the signals that count, and the one function that weighs them. Pure
/// functions.

#include "question.hpp"
#include "search/index/store/store.hpp"

namespace leanbridge::index {

/// The standing of a declaration, whatever is asked for. 0..1 unless it says otherwise.
struct Standing {
  double users = 0;      ///< how many declarations have it in their type, on a logarithmic scale
  double subject = 0.5;  ///< the same of its outermost namespace; 0.5: it has none
  bool documented = false;
  bool is_theorem = false;  ///< or an axiom
  bool is_instance = false;
  bool hidden = false;     ///< generated, private or deprecated
  bool aside = false;      ///< of a test, an example, or Lean's own machinery
  std::size_t pieces = 0;  ///< of the name
};

/// How a declaration answers a query.
struct Signals {
  Standing standing;
  double bm25 = 0;      ///< that of FTS5, relative to the best answer of the same database
  double coverage = 0;  ///< the share of the query that it has: in the name 1, in the documentation less
  double economy = 0;   ///< the share of its name that was asked for
  double summary = 0;   ///< the share of the first sentence of its documentation that was asked for
  double name = 0;  ///< 1: it is the name that was asked for; less for its end, another case, a typing error
  bool asks_theorem = false;
};

/// Identifies it: several modules may have the same private name.
std::string key_of(const Declaration& declaration);

/// `users` counts the users of a name.
Standing standing_of(const Declaration& declaration, const Count& users);

/// `candidate` was found by `expression`, which is that of the plan, with all its wordings; `best` is the
/// largest bm25 of its database.
Signals signals_of(const RankedDeclaration& candidate, const QueryPlan& plan, const Expression& expression,
                   double best, Standing standing);

/// 0..1; 1 is the name itself.
double score_of(const Signals& signals);
/// The signals that count here, for people.
std::string text_of(const Signals& signals);
/// 0..1, for answers that are otherwise equal.
double score_of(const Standing& standing);

}  // namespace leanbridge::index
