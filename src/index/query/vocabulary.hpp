#pragma once
/// What mathematicians say, and how Lean's libraries name it.

#include <span>
#include <string_view>

namespace leanbridge::index {

/// A word or phrase, and the terms that stand for it in names: alternatives with `|` between, several terms
/// of one alternative with `_`.
struct Phrase {
  std::string_view words;
  std::string_view terms;
};
std::span<const Phrase> phrases();

/// A sign of mathematics, and the term that stands for it in names.
struct Symbol {
  std::string_view text;
  std::string_view term;
};
/// The longest one that begins at byte `at`, or null.
const Symbol* symbol_at(std::string_view text, std::size_t at);

/// Words that say little: a question is about its other words, if it has any.
bool says_little(std::string_view word);
/// Words that say nothing at all.
bool says_nothing(std::string_view word);

}  // namespace leanbridge::index
