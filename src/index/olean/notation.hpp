#pragma once
/// The notations of Lean's library that the printer of types knows (Lean's src/Init/Prelude.lean, Core.lean,
/// Notation.lean): enough for most theorems.

#include <cstddef>
#include <string_view>

namespace leanbridge::index {

/// An operator between the last two of `arguments` arguments, in the order they are written unless `swapped`.
struct Infix {
  std::string_view constant;
  std::size_t arguments;
  std::string_view symbol;
  int precedence, left, right;  ///< of the whole, and what the operands need at least
  bool swapped = false;
};

/// Before the last argument; `name` in front of nothing.
struct Prefix {
  std::string_view constant;
  std::size_t arguments;
  std::string_view symbol;
  int precedence, operand;
};

inline constexpr int kArrow = 25, kApplication = 1023, kAtom = 1024;

const Infix* infix(std::string_view constant);
const Prefix* prefix(std::string_view constant);

}  // namespace leanbridge::index
