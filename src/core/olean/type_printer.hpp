#pragma once
/// Prints types roughly as Lean does. The index needs words to search and lines to read; unlike Lean's
/// printer, this one knows few notations and neither coercions nor options.

#include "olean_expr.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace leanbridge::olean {

/// For each constant, one letter per argument: `e` explicit, `i` implicit or strict implicit, `c` class
/// instance. The type printer shows only explicit arguments.
using BinderTable = std::unordered_map<std::string, std::string>;

/// A signature such as `(n m : Nat) : n + m = m + n`: the leading binders, then the rest. "" if it would be
/// too long.
std::string print_signature(Expressions& expressions, Ref type, const BinderTable& binders);

struct Brackets {
  std::string_view open, close;
};
/// The brackets around a binder.
Brackets brackets(BinderInfo info);

}  // namespace leanbridge::olean
