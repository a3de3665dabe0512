#pragma once
/// Lean terms as people and agents write them in searches: tokens, operators, variables.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::search {

struct TermToken {
  enum class Kind { Word, Number, String, Meta, Hole, Symbol };
  Kind kind = Kind::Symbol;
  std::string text;       ///< operators in Lean's spelling: `→` for `->`
  std::size_t begin = 0;  ///< bytes of the source
  std::size_t end = 0;
  bool after_blank = false;  ///< white space precedes it

  bool is(std::string_view symbol) const { return kind == Kind::Symbol && text == symbol; }
};

/// The tokens of a text. Reads `->`, `<=`, `|-`, `\forall` and the like as Lean's symbols, and `⊕` as `+`: in
/// Lean it is the sum of types, which is never meant.
std::vector<TermToken> term_tokens(std::string_view text);

/// The constant of a symbol: `HAdd.hAdd` for `+`, `Nat` for `ℕ`; "": none.
std::string_view constant_of(std::string_view symbol);
/// The precedence of an operator, as in Lean: `=` 50, `+` 65. 0 for separators, kApplication for other
/// tokens.
int tightness(const TermToken& token);
inline constexpr int kApplication = 1000;
/// Whether this token makes a text a term rather than prose.
bool is_operator(const TermToken& token);

/// A dotted name, or one with `_`, `«»` or an inner capital: not prose.
bool looks_like_name(std::string_view word);
/// One letter followed by digits, subscripts or primes: a variable unless known otherwise.
bool looks_like_variable(std::string_view word);
/// Letters and hyphens only.
bool looks_like_prose(std::string_view word);
bool is_lean_keyword(std::string_view word);

}  // namespace leanbridge::search
