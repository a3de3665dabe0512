#pragma once
/// Reads terms and statements as people, agents and Lean's printer write them: their words, and the
/// conditions that a search can use. Pure functions: any thread, any text, linear time.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::index {

/// A word of a written term.
struct TermWord {
  enum class WordType { Name, Meta, Number, Text, Symbol, LineEnd };
  WordType kind = WordType::Symbol;
  std::string text;  ///< for symbols, in Lean's spelling: `→` for `->`
  bool after_blank = false;
  std::size_t begin = 0, end = 0;  ///< bytes of the source

  bool is(std::string_view symbol) const { return kind == WordType::Symbol && text == symbol; }
  /// 1 for an opening bracket, -1 for a closing one, else 0.
  int nesting() const;
  /// Whether it shows that a text is a term rather than prose: `+`, `∀`, `fun`, `_`, `?a`.
  bool is_operator() const;
};

inline constexpr std::size_t kMaxTermWords = 600;

/// The words of a text. At most `most` plus one, which shows that there are more.
std::vector<TermWord> term_words(std::string_view text, std::size_t most = kMaxTermWords);

/// Whether a word looks like a constant: `Foo`, `List.map` and `length` do; `a`, `x₁`, `hs` and `ys` look
/// like variables.
bool looks_like_constant(std::string_view word);

/// Whether it is a dotted name, or has `_`, `«»` or an inner capital, so that it is not prose.
bool looks_like_name(std::string_view word);

/// The conditions in a statement.
struct WrittenTerm {
  /// In the syntax of Loogle: its premises and conclusion, with `?a` for variables, of which the first has
  /// its type: `(?a : Nat) + ?b = ?b + ?a`. If the text begins with `⊢`, only the conclusion.
  std::string pattern;
  std::vector<std::string> constants;  ///< `HAdd.hAdd`, `Nat`; each once, in order
  std::string conclusion;              ///< the constant at its head; "": a variable
};

/// nullopt: the text is not a term, or uses notation that is unknown here.
std::optional<WrittenTerm> read_term(std::string_view text);

/// The constants that such a text seems to mention: names that are no variables, and the constants of
/// operators.
std::vector<std::string> constants_among(const std::vector<TermWord>& words);

}  // namespace leanbridge::index
