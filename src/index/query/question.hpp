#pragma once
/// A Lookup, understood: what it is about, as alternatives of terms. Pure functions.

#include "leanbridge/index/local_index.hpp"

#include "words.hpp"

#include <functional>
#include <string>
#include <vector>

namespace leanbridge::index {

/// One way to say something: all of these terms.
struct Alternative {
  Terms terms;
  bool prefix = false;  ///< the last term may be longer
  double weight = 1;    ///< how surely it is meant, 0..1
};

/// One thing that a plan is about.
struct Concept {
  std::vector<Alternative> alternatives;
  double weight = 1;          ///< how much it says, 0..1
  bool optional = false;      ///< not looked for: it only counts in the score
  std::size_t documents = 0;  ///< that have one of its terms, some counted twice: what looking for it costs
};

struct QueryPlan {
  std::vector<Concept> concepts;
  std::string name;  ///< the words, where they are a name or a part of one; else ""
  Terms said;        ///< all words of it, those that say nothing as well
  std::string glob;
  std::function<double(const std::string&)> common;  ///< 0..1: how many declarations have a term
};

/// What is known of the terms in the index.
struct TermStatistics {
  std::size_t declarations = 0;
  std::function<std::size_t(const std::string&)> documents_with;
  /// Terms that differ from a mistyped one by a letter or two; none where there are none.
  std::function<Terms(const std::string&)> similar;
};

QueryPlan plan_query(const Lookup& lookup, const TermStatistics& statistics);

/// The terms among `known` nearest to `word`, at most `count`: one letter wrong, missing, too many or two
/// exchanged, two such for words of seven letters and more.
Terms similar_terms(const std::string& word, const std::vector<std::string>& known, std::size_t count);

/// The FTS5 expression for some of the concepts; `column` empty: in any.
std::string expression_for(const std::vector<const Concept*>& concepts, const std::string& column);

/// 0..1: how well a declaration answers. What it is made of is said in question.cpp.
double score_of(const Declaration& declaration, const QueryPlan& plan);

}  // namespace leanbridge::index
