#pragma once
/// The one table of the notation of Lean's and Mathlib's libraries: what written terms are read by, types are
/// printed by, and names and queries are cut into words by. Pure functions.

#include <cstddef>
#include <string_view>

namespace leanbridge::olean {

enum class Fix {
  Left,      ///< between two operands, associates to the left
  Right,     ///< to the right
  None,      ///< not at all
  Prefix,    ///< before its operand
  Postfix,   ///< after it, without a blank
  Atom,      ///< without operands
  Word,      ///< a name that means a constant in any namespace: `ℕ`, `some`
  Compound,  ///< a Word that contains a sign: `ℝ≥0`
  Binder,    ///< before bound variables: `∀`
  Mark,      ///< another sign of terms: `→`, `⊢`
  Bracket,   ///< or punctuation, which prose has, too
  Hidden,    ///< the constant has arguments that are not written, but no notation that is known here
};

struct Notation {
  /// An infix that ends with `[` has its first argument in brackets, `=ᶠ[l]`; such a postfix its last:
  /// `f^[n]`.
  std::string_view symbol;
  std::string_view constant = {};  ///< "": none
  /// The arguments of the constant, one BinderLetter each, for those whose terms the index knows by heart.
  std::string_view letters = {};
  Fix fix = Fix::Hidden;
  int level = 0;               ///< its precedence in Lean
  std::string_view word = {};  ///< for it in names: `add`
  int other = 0;         ///< at which level an infix is read, if not at its own; that of a prefix's operand
  bool swapped = false;  ///< the right operand is the first argument
  bool negated = false;  ///< `∉`: it says that the constant does not hold
  /// What is applied to the argument in brackets: `E →ₗ[R] F` is `LinearMap (RingHom.id R) E F`. `_`: one
  /// more argument comes first, which is not written.
  std::string_view wrapper = {};

  bool is_infix() const { return fix == Fix::Left || fix == Fix::Right || fix == Fix::None; }
  int left() const { return fix == Fix::Left ? level : level + 1; }
  int right() const { return fix == Fix::Right ? level : level + 1; }
  /// As left() and right() shift `level`, for reading.
  int read_level() const { return is_infix() && other != 0 ? other : level; }
  int read_right() const { return read_level() + (right() - level); }
};

inline constexpr int kArrowLevel = 25, kApplicationLevel = 1023, kAtomLevel = 1024;

/// null: none, also for a prefix of the same symbol.
const Notation* infix_notation(std::string_view symbol);
/// The notation of a constant, under its present or an older name; null: none.
const Notation* notation_of(std::string_view constant);
/// null: it is no postfix.
const Notation* postfix_notation(std::string_view symbol);
/// null: it is no prefix.
const Notation* prefix_notation(std::string_view symbol);
/// What a word means in any namespace, `Option.some` for `some`; null: nothing.
const Notation* word_notation(std::string_view word);

/// The present name of a constant: `Bool.and` for `and`, its name until Lean 4.27, and `Compl.compl` for
/// `HasCompl.compl`, its name in Mathlib until January 2026.
std::string_view present_name(std::string_view constant);
/// Its older name; "": none.
std::string_view older_name(std::string_view constant);
/// The constant that says the same of sets in Mathlib since spring 2026: `LE.le` for `HasSubset.Subset`,
/// `LT.lt` for `HasSSubset.SSubset`; "": none.
std::string_view order_of_sets(std::string_view constant);
/// The letters of a constant with notation; "": it has none.
std::string_view notation_letters(std::string_view constant);

/// A sign in a text: how many bytes it has, and what it means. Without a `notation`, the sign is unknown
/// here, such as `→ᵈ`, which is another one than `→`; or, if it has no bytes, there is none.
struct Sign {
  std::size_t size = 0;
  const Notation* notation = nullptr;
};
/// The longest sign at a byte, in Lean's spelling, in ASCII (`->`) or as a command (`\forall`). Words are
/// signs only with `words`.
Sign sign_at(std::string_view text, std::size_t at, bool words = false);

}  // namespace leanbridge::olean
