#pragma once
/// The one table of the notation of Lean's and Mathlib's libraries. Reading of terms, printing of types, and
/// the splitting of names and queries into words all use it. Pure functions.

#include <cstddef>
#include <string_view>

namespace leanbridge::olean {

enum class Fix {
  Left,      ///< between two operands, left-associative
  Right,     ///< between two operands, right-associative
  None,      ///< between two operands, not associative
  Prefix,    ///< before its operand
  Postfix,   ///< behind its operand, without a blank
  Atom,      ///< without operands
  Word,      ///< a name that stands for a constant in any namespace: `ℕ`, `some`
  Compound,  ///< a Word that contains a sign: `ℝ≥0`
  Binder,    ///< before bound variables: `∀`
  Mark,      ///< another sign of terms: `→`, `⊢`
  Bracket,   ///< a bracket or a punctuation mark, which prose has, too
  Hidden,    ///< no notation that is known here, but the constant has arguments that are not written
};

struct Notation {
  /// An infix that ends with `[` has its first argument in brackets: `=ᶠ[l]`. A postfix that does has its
  /// last argument there: `f^[n]`.
  std::string_view symbol;
  std::string_view constant = {};  ///< "": none
  /// The arguments of the constant, one BinderLetter each. Set for constants whose arguments the index must
  /// know without reading their module.
  std::string_view letters = {};
  Fix fix = Fix::Hidden;
  int level = 0;               ///< its precedence in Lean
  std::string_view word = {};  ///< the word for it in names: `add`
  int other = 0;         ///< the level for reading an infix, if not its own; for a prefix, the level of its
                         ///< operand
  bool swapped = false;  ///< the right operand is the first argument
  bool negated = false;  ///< as in `∉`: it means that the constant does not hold
  /// The function that is applied to the argument in brackets: `E →ₗ[R] F` is `LinearMap (RingHom.id R) E F`.
  /// `_`: an unwritten argument comes before it.
  std::string_view wrapper = {};

  bool is_infix() const { return fix == Fix::Left || fix == Fix::Right || fix == Fix::None; }
  int left() const { return fix == Fix::Left ? level : level + 1; }
  int right() const { return fix == Fix::Right ? level : level + 1; }
  /// The level for reading. left() and right() differ from it as they do from `level`.
  int read_level() const { return is_infix() && other != 0 ? other : level; }
  int read_right() const { return read_level() + (right() - level); }
};

inline constexpr int kArrowLevel = 25, kApplicationLevel = 1023, kAtomLevel = 1024;

/// null: it is no infix; a prefix with the same symbol does not count.
const Notation* infix_notation(std::string_view symbol);
/// The notation of a constant, under its present or an older name; null: none.
const Notation* notation_of(std::string_view constant);
/// null: it is not a postfix.
const Notation* postfix_notation(std::string_view symbol);
/// null: it is not a prefix.
const Notation* prefix_notation(std::string_view symbol);
/// The notation of a word in any namespace, `Option.some` for `some`; null: it has none.
const Notation* word_notation(std::string_view word);

/// The present name of a constant: `Bool.and` for `and`, its name until Lean 4.27, and `Compl.compl` for
/// `HasCompl.compl`, its name in Mathlib until January 2026.
std::string_view present_name(std::string_view constant);
/// The older name; "": it has none.
std::string_view older_name(std::string_view constant);
/// The constant that Mathlib has used for this relation of sets since spring 2026: `LE.le` for
/// `HasSubset.Subset`, `LT.lt` for `HasSSubset.SSubset`; "": none.
std::string_view order_of_sets(std::string_view constant);
/// The letters of a constant with notation; "": it has none.
std::string_view notation_letters(std::string_view constant);

/// A sign in a text: its size in bytes and its meaning. If it has a size but no `notation`, the sign is
/// unknown here, such as `→ᵈ`, which differs from `→`. If it has no size, there is no sign.
struct Sign {
  std::size_t size = 0;
  const Notation* notation = nullptr;
};
/// The longest sign at a byte, in Lean's spelling, in ASCII (`->`) or as a command (`\forall`). Words are
/// signs only with `words`.
Sign sign_at(std::string_view text, std::size_t at, bool words = false);

}  // namespace leanbridge::olean
