#pragma once
/// The meanings of docstrings' words in names, learnt from the declarations that have both. Pure.

#include "search/index/query/words.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace leanbridge::index {

/// How often a term of names or types goes with a word in the docstring.
struct Meaning {
  std::string word;
  std::string part;       ///< the term; "": any, so that the word is in any docstring as often
  double likelihood = 0;  ///< 0..1, of the word in a docstring, for each part of the declaration
};

/// Learns meanings with IBM's model 1 (Brown et al. 1993): each word of a docstring is the translation of one
/// of the declaration's parts, and expectation maximisation finds which.
class Lexicon {
 public:
  /// The informative words of a docstring, and the terms of its declaration's name and type, separated by
  /// spaces, as the index stores them.
  void add(const Terms& words, std::string_view name, std::string_view type);
  std::vector<Meaning> learn() const;

 private:
  struct Vocabulary {
    std::unordered_map<std::string, std::uint32_t> ids;
    std::vector<std::string> terms;
    std::uint32_t id(std::string_view term);
  };
  struct Pair {
    std::vector<std::uint32_t> words;
    std::vector<std::pair<std::uint32_t, double>> parts;  ///< with their weights
  };

  Vocabulary words_, parts_;
  std::vector<Pair> pairs_;
};

/// Judges how well declarations say a sentence.
class SentenceLikelihood {
 public:
  /// The words of the sentence, and the meanings of each.
  SentenceLikelihood(const Terms& words,
                     const std::function<std::vector<Meaning>(const std::string&)>& meanings);
  /// The logarithm of how likely a declaration with these terms has the sentence as its docstring.
  double of(std::string_view name, std::string_view type) const;

 private:
  std::vector<double> anywhere_;  ///< by word: how likely it is in any docstring
  std::unordered_map<std::string, std::vector<std::pair<std::size_t, double>>> by_part_;  ///< words
};

}  // namespace leanbridge::index
