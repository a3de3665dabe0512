#pragma once
/// Turns a Lookup into a query plan, concepts with alternative terms, and scores declarations against it.
/// Pure functions.

#include "leanbridge/index/local_index.hpp"

#include "words.hpp"

#include <functional>
#include <string>
#include <vector>

namespace leanbridge::index {

/// One way to express a concept: all of these terms.
struct Alternative {
  Terms terms;
  bool prefix = false;  ///< the last term is a prefix
  double weight = 1;    ///< how likely it is meant, 0..1
};

/// One thing that a query is about.
struct Concept {
  std::vector<Alternative> alternatives;
  double weight = 1;          ///< how informative it is, 0..1
  bool optional = false;      ///< not required: it only affects the score
  std::size_t documents = 0;  ///< that have one of its terms, with duplicates: the cost of searching it
};

struct QueryPlan {
  std::vector<Concept> concepts;
  std::string name;  ///< the query, if it is a single word: a name or part of one; else ""
  Terms words;       ///< all words, including stop words
  std::string glob;
  std::function<double(const std::string&)> common;  ///< how common a term is, 0..1
};

/// Statistics of the terms in the index.
struct TermStatistics {
  std::size_t declarations = 0;
  std::function<std::size_t(const std::string&)> documents_with;
  /// Known terms that differ from a mistyped one by a letter or two.
  std::function<Terms(const std::string&)> similar;
};

QueryPlan plan_query(const Lookup& lookup, const TermStatistics& statistics);

/// The at most `count` terms of `known` nearest to `word`, of equally near ones the first, within one edit (a
/// wrong, missing, extra or swapped letter), or two edits for words of seven or more letters.
Terms similar_terms(const std::string& word, const std::vector<std::string>& known, std::size_t count);

/// The FTS5 expression for these concepts; an empty `column` means any.
std::string expression_for(const std::vector<const Concept*>& concepts, const std::string& column);

/// How good an answer a declaration is, independent of the words of the query, 0..1.
double standing_of(const Declaration& declaration, const QueryPlan& plan);

/// How well a declaration answers, 0..1. question.cpp explains the formula.
double score_of(const Declaration& declaration, const QueryPlan& plan);

}  // namespace leanbridge::index
