#pragma once
/// Maps the words of mathematicians to the names in Lean's libraries.

#include <map>
#include <string>
#include <string_view>

namespace leanbridge::index {

/// By the stems of a word or phrase, such as `natur number`, the terms for it in names: `|` separates
/// alternatives, `_` the terms of one alternative.
using Phrases = std::map<std::string, std::string>;
const Phrases& phrases();

/// Words that matter only if a query has no others.
bool is_unimportant(std::string_view word);
/// Words for a theorem: "theorem", "lemma", "inequality".
bool names_theorem(std::string_view word);
/// Words without meaning for a search.
bool is_filler(std::string_view word);

}  // namespace leanbridge::index
