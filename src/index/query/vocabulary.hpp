#pragma once
/// Maps the words of mathematicians to the names in Lean's libraries.

#include <string_view>
#include <vector>

namespace leanbridge::index {

/// A word or phrase, and the terms for it in names: `|` separates alternatives, `_` the terms of one
/// alternative.
struct Phrase {
  std::string_view words;
  std::string_view terms;
};
const std::vector<Phrase>& phrases();

/// Words that matter only if a query has no others.
bool is_unimportant(std::string_view word);
/// Words for a theorem: "theorem", "lemma", "inequality".
bool names_theorem(std::string_view word);
/// Words without meaning for a search.
bool is_filler(std::string_view word);

}  // namespace leanbridge::index
