#pragma once
/// The quality of a declaration as an answer: the signals, and the one function that weighs them. Pure.

#include "question.hpp"
#include "search/index/store/store.hpp"

namespace leanbridge::index {

/// The standing of a declaration, independent of the query. The values are in 0..1 unless noted.
struct Standing {
  double users = 0;      ///< number of declarations that have it in their type, on a logarithmic scale
  double subject = 0.5;  ///< as `users`, for its outermost namespace; 0.5: it has none
  bool documented = false;
  bool is_theorem = false;  ///< it is a theorem or an axiom
  bool is_instance = false;
  bool hidden = false;     ///< generated, private or deprecated
  bool aside = false;      ///< it belongs to a test, an example, or Lean's own machinery
  std::size_t pieces = 0;  ///< number of pieces of the name
};

/// How well a declaration answers a query.
struct Signals {
  Standing standing;
  double bm25 = 0;      ///< FTS5's bm25, relative to the best answer of the same database
  double coverage = 0;  ///< the share of the query that it contains; words in the name count fully, in the
                        ///< documentation less
  double economy = 0;   ///< the share of its name that was asked for
  double summary = 0;   ///< the share of the first sentence of its documentation that was asked for
  double name = 0;  ///< 1: its name is the query; less for the end of a name, another case, or a misspelling
  bool asks_theorem = false;
  bool is_sentence = false;  ///< the query is one
};

/// A key for it: several modules may have the same private name.
std::string key_of(const Declaration& declaration);

/// `users` counts the users of a name.
Standing standing_of(const Declaration& declaration, const Count& users);

/// The signals of `candidate`, which `expression` found: the plan's, with all its wordings. `best` is the
/// largest bm25 of its database.
Signals signals_of(const RankedDeclaration& candidate, const QueryPlan& plan, const Expression& expression,
                   double best, Standing standing);

/// The score, 0..1; 1 is the name itself.
double score_of(const Signals& signals);
/// The signals that matter for it, for people.
std::string text_of(const Signals& signals);
/// The score, 0..1, for ordering answers that are otherwise equal.
double score_of(const Standing& standing);

}  // namespace leanbridge::index
