#pragma once
/// Prints types roughly as Lean does. The index needs words to search and lines to read; unlike Lean's
/// printer, this one knows few notations and no coercions or options.

#include "olean_expr.hpp"

#include <string>
#include <unordered_map>

namespace leanbridge::olean {

/// By constant, one letter per argument: `e` explicit, `i` implicit or strict implicit, `c` class instance.
/// The type printer shows only explicit ones.
using BinderTable = std::unordered_map<std::string, std::string>;

/// `(n m : Nat) : n + m = m + n`: the leading binders, then the rest. "" if it would be too long.
std::string print_signature(Expressions& expressions, Ref type, const BinderTable& binders);

}  // namespace leanbridge::olean
