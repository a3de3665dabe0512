#pragma once
/// Maps the words of mathematicians to the names in Lean's libraries.

#include <map>
#include <string>
#include <string_view>

namespace leanbridge::index {

/// The terms in names for a word or phrase, by its stems, such as `natur number`: `|` separates alternatives,
/// `_` the terms of one alternative.
using Phrases = std::map<std::string, std::string>;
const Phrases& phrases();

/// Whether a word matters only in queries without other words.
bool is_unimportant(std::string_view word);
/// Whether a word means a theorem: "theorem", "lemma", "inequality".
bool names_theorem(std::string_view word);
/// Whether a word makes a sentence of a query, which says what a theorem says: "is", "every".
bool makes_sentence(std::string_view word);
/// Whether a word has no meaning for a search.
bool is_filler(std::string_view word);
/// Whether a term of prose has a meaning for a search.
bool is_informative(std::string_view term);

}  // namespace leanbridge::index
