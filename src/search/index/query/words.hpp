#pragma once
/// Splits names, types and prose into terms, which both the index and queries use. Pure functions.

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::index {

using Terms = std::vector<std::string>;

/// The stem of an English word, so that `lists` matches `list` and `continuity` matches `continuous`. Leaves
/// a word unchanged that is shorter than four letters, or not in lower case. Throws sqlite::Failure.
std::string stem(std::string word);

/// The terms of a name: the pieces of its words, such as `get` and `elem` of `List.getElem?_append`, and each
/// whole word with more than one piece, `getelem`. Lower case (ASCII) and stemmed; characters other than
/// letters, digits and marks separate words.
struct NameTerms {
  Terms own;     ///< pieces of the last component, in order
  Terms outer;   ///< pieces of the namespaces, in order
  Terms joined;  ///< whole words of several pieces: `bitvec`, `getelem`
};
NameTerms name_terms(std::string_view name);

/// The term for a last component as a whole: `=linearmap` for `Module.LinearMap` and `linear_map`.
std::string whole_term(std::string_view name);

/// All terms of a name, in no particular order.
Terms all_terms_of_name(std::string_view name);

/// The words of a name, `getElem` and `append` of `List.getElem_append`, each whole and in pieces.
struct NameWord {
  std::string whole;
  Terms pieces;
};
std::vector<NameWord> words_of_name(std::string_view name);

/// The terms of a type as written: its names as above, its symbols translated (`+` to `add`), no single
/// letters.
Terms type_terms(std::string_view signature);

/// `zero`, `one` and `two` for these digits; other texts unchanged.
std::string_view number_word(std::string_view digit);

/// The terms of prose: words, and the pieces of the names in it.
Terms prose_terms(std::string_view text);

/// Terms for exact constants: `=Nat.add` and, for the last component, `~add`; `^Eq` and `^~Eq` for a
/// conclusion.
Terms constant_terms(const std::vector<std::string>& constants, std::string_view conclusion);

/// The non-empty parts of a text between separators.
Terms split(std::string_view text, char separator);

/// A term as a phrase of an FTS5 expression.
std::string as_phrase(std::string_view term);

/// Each of `words` once, separated by spaces.
std::string joined_once(const Terms& words);

/// Whether `glob`, in which `*` stands for any characters, matches all of `name`.
bool glob_matches(std::string_view glob, std::string_view name);

}  // namespace leanbridge::index
