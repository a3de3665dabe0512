#pragma once
/// The words of written terms, and the notations that the reader of terms knows.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::index {

struct TermWord {
  enum class WordType { Name, Meta, Number, Text, Symbol, LineEnd };
  WordType kind = WordType::Symbol;
  std::string text;  ///< of symbols, in Lean's spelling: `→` for `->`
  bool after_blank = false;
};

inline constexpr std::size_t kMaxTermWords = 600;

/// The words of a text; one more than kMaxTermWords if there are more.
std::vector<TermWord> term_words(std::string_view text);

/// An operator between two operands, with Lean's precedences; `swapped` exchanges the operands.
struct InfixNotation {
  std::string_view symbol;
  std::string_view constant;
  int level, left, right;
  bool swapped = false;
};
/// null: no such operator.
const InfixNotation* infix_notation(std::string_view symbol);

/// The constant that a word stands for in any namespace, `Option.some` for `some`; "": none.
std::string_view exported_constant(std::string_view word);

}  // namespace leanbridge::index
