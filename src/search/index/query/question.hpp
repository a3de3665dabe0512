#pragma once
/// Turns a Lookup into a query plan: concepts with alternative terms, and their full-text expressions. Pure.

#include "search/index/local_index.hpp"
#include "search/index/store/lexicon.hpp"
#include "words.hpp"

#include <functional>
#include <string>
#include <vector>

namespace leanbridge::index {

/// One way to express a concept: all of these terms.
struct Alternative {
  Terms terms;
  bool prefix = false;   ///< the last term is a prefix
  double weight = 1;     ///< how likely it is meant, 0..1
  bool written = false;  ///< the words are the query's own; otherwise they come from the vocabulary or a
                         ///< correction
};

/// One thing that a query is about, in all its wordings.
struct Concept {
  std::vector<Alternative> alternatives;
  double weight = 1;          ///< how informative it is, 0..1
  bool optional = false;      ///< it carries little information
  std::size_t documents = 0;  ///< number of documents with one of its alternatives, some counted twice
};

struct QueryPlan {
  std::vector<Concept> concepts;
  std::string name;           ///< the query, if it is a single word: a name or part of a name; else ""
  std::string whole;          ///< the term of a name that consists of the query's words (whole_term())
  bool is_sentence = false;   ///< it says what a theorem says: "every field is a ring"
  bool asks_theorem = false;  ///< it has the word "theorem", "lemma" or the like
};

/// Statistics of the terms in the index.
struct TermStatistics {
  std::size_t declarations = 0;
  std::function<std::size_t(const std::string&)> documents_with;
  /// The parts of names that say a word of English.
  std::function<std::vector<Meaning>(const std::string&)> meanings;
  /// Known terms that differ from a mistyped one by a letter or two.
  std::function<Terms(const std::string&)> similar;
};

QueryPlan plan_query(const Lookup& lookup, const TermStatistics& statistics);

/// The terms of `known` nearest to `word`, at most `count`, the first ones among equally near terms. They are
/// within one edit (a wrong, missing, extra or swapped letter), or within two edits for words of seven or
/// more letters.
Terms similar_terms(const std::string& word, const std::vector<std::string>& known, std::size_t count);

/// An FTS5 expression for any of the alternatives, and the numbers of its phrases. Common concepts are not
/// enough: the expression requires one of the rarer ones, so that few rows have to be scored.
struct Expression {
  std::string text;  ///< "": there is nothing to search for
  std::size_t phrases = 0;
  /// By concept, alternative and term; empty for an alternative outside the expression.
  std::vector<std::vector<std::vector<std::size_t>>> numbers;
};
enum class Wording { Written, All };
Expression expression_of(const QueryPlan& plan, Wording wording);

}  // namespace leanbridge::index
