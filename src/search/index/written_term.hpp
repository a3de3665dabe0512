#pragma once
/// Reads terms and statements as people, agents and Lean's printer write them: their words, and what a search
/// can ask for. Pure functions: any thread, any text, linear time.

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
  std::string text;  ///< of symbols, in Lean's spelling: `→` for `->`
  bool after_blank = false;
  std::size_t begin = 0, end = 0;  ///< bytes of the source

  bool is(std::string_view symbol) const { return kind == WordType::Symbol && text == symbol; }
  /// 1 for an opening bracket, -1 for a closing one, else 0.
  int nesting() const;
  /// Whether it makes a text a term rather than prose: `+`, `∀`, `fun`, `_`, `?a`.
  bool is_operator() const;
};

inline constexpr std::size_t kMaxTermWords = 600;

/// The words of a text; one more than `most` if there are more.
std::vector<TermWord> term_words(std::string_view text, std::size_t most = kMaxTermWords);

/// By the looks of a word: `Foo`, `List.map` and `length` are constants; `a`, `x₁`, `hs` and `ys` are
/// variables.
bool looks_like_constant(std::string_view word);

/// A dotted name, or one with `_`, `«»` or an inner capital: not prose.
bool looks_like_name(std::string_view word);

/// What a statement asks for.
struct WrittenTerm {
  /// In the syntax of Loogle: its premises and conclusion, with `?a` for variables, of which the first has
  /// its type: `(?a : Nat) + ?b = ?b + ?a`. After `⊢` the conclusion alone.
  std::string pattern;
  std::vector<std::string> constants;  ///< `HAdd.hAdd`, `Nat`; each once, in order
  std::string conclusion;              ///< the constant at its head; "": a variable
};

/// nullopt for what is no term, or uses notation that is unknown here.
std::optional<WrittenTerm> read_term(std::string_view text);

/// What such a text seems to mention: names that are no variables, and the constants of operators.
std::vector<std::string> constants_among(const std::vector<TermWord>& words);

}  // namespace leanbridge::index
