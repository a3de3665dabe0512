#pragma once
/// Lean terms as people and agents write them in a search: tokens, operators, variables. Private to this
/// module.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::search {

struct TermToken {
  enum class Kind { Word, Number, String, Meta, Hole, Symbol };
  Kind kind = Kind::Symbol;
  std::string text;       ///< operators as Lean writes them: `->` is `→`
  std::size_t begin = 0;  ///< bytes of the source
  std::size_t end = 0;
  bool after_blank = false;  ///< white space stands before it

  bool is(std::string_view symbol) const { return kind == Kind::Symbol && text == symbol; }
};

/// The tokens of a text. `->`, `<=`, `|-`, `\forall` and their like are read as Lean's own symbols; `⊕` as
/// `+`, since in Lean it is the sum of types and never what is meant.
std::vector<TermToken> term_tokens(std::string_view text);

/// The constant behind a symbol: `+` is `HAdd.hAdd`, `ℕ` is `Nat`; "" where there is none.
std::string_view constant_of(std::string_view symbol);
/// How tightly an operator binds, as in Lean: `=` 50, `+` 65; 0 for what separates, kApplication for what is
/// none.
int tightness(const TermToken& token);
inline constexpr int kApplication = 1000;
/// Does a symbol make a text a term rather than prose?
bool is_operator(const TermToken& token);

/// A dotted name, one with `_`, with `«»`, or with a capital inside: nobody writes prose so.
bool looks_like_name(std::string_view word);
/// One letter, with digits, subscripts or primes after it: a variable, unless something else is known of it.
bool looks_like_variable(std::string_view word);
/// Letters and hyphens only.
bool looks_like_prose(std::string_view word);
bool is_lean_keyword(std::string_view word);

}  // namespace leanbridge::search
