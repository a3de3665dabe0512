#pragma once
/// Maps the words of mathematicians to the names in Lean's libraries.

#include <span>
#include <string_view>

namespace leanbridge::index {

/// A word or phrase, and the terms for it in names: `|` separates alternatives, `_` the terms of one
/// alternative.
struct Phrase {
  std::string_view words;
  std::string_view terms;
};
std::span<const Phrase> phrases();

/// A mathematical symbol, and the term for it in names.
struct Symbol {
  std::string_view text;
  std::string_view term;
};
/// The longest symbol at byte `at`, or null.
const Symbol* symbol_at(std::string_view text, std::size_t at);

/// Words that matter only if a query has no others.
bool is_unimportant(std::string_view word);
/// Words for a theorem: "theorem", "lemma", "inequality".
bool names_theorem(std::string_view word);
/// Words without meaning for a search.
bool is_filler(std::string_view word);

}  // namespace leanbridge::index
