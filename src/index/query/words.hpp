#pragma once
/// From names, types and prose to terms: what both the index and a question are made of. Pure functions.

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::index {

using Terms = std::vector<std::string>;

/// An English word without its usual endings, so that `lists` finds `list` and `reversed` finds `reverse`.
/// Crude on purpose, but the same for what is stored and what is asked. Other words are left as they are.
std::string stem(std::string word);

/// A part of a name, `getElem?` of `List.getElem?_append`, or the pieces of one: `get`, `elem`, and the whole
/// `getelem` where it has more than one. Lower case (ASCII), stemmed; what is not a letter, digit or mark
/// separates.
struct NameTerms {
  Terms own;     ///< pieces of the last component, in order
  Terms outer;   ///< pieces of the namespaces, in order
  Terms joined;  ///< whole parts that were cut: `bitvec`, `getelem`
};
NameTerms name_terms(std::string_view name);

/// Every term of a name once, in no special order.
Terms all_terms_of_name(std::string_view name);

/// The unbroken words of a name, `getElem` and `append` of `List.getElem_append`, each whole and in pieces.
struct NameWord {
  std::string whole;
  Terms pieces;
};
std::vector<NameWord> words_of_name(std::string_view name);

/// The terms of a type as written: its names as above, its symbols translated (`+` gives `add`), no single
/// letters.
Terms type_terms(std::string_view signature);

/// The terms of prose: words, and the pieces of the names in it.
Terms prose_terms(std::string_view text);

/// Exact constants: `=Nat.add` and, for its last part, `~add`; `^Eq` and `^~Eq` for a conclusion.
Terms constant_terms(const std::vector<std::string>& constants, std::string_view conclusion);

/// `words` with spaces between, each once.
std::string joined_once(const Terms& words);

/// The last component of a name; `a.«b.c»` gives `«b.c»`.
std::string_view last_component(std::string_view name);

/// ASCII letters only.

/// Does `glob`, in which `*` stands for any characters, match all of `name`?
bool glob_matches(std::string_view glob, std::string_view name);

}  // namespace leanbridge::index
