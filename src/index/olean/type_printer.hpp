#pragma once
/// Types as text, roughly as Lean shows them. An index needs words to search by and lines to read; Lean's own
/// printer knows all notations, coercions and options, and this one a handful.

#include "leanbridge/index/readers.hpp"

#include "olean_expr.hpp"

#include <string>

namespace leanbridge::index {

/// `(n m : Nat) : n + m = m + n`: the leading binders, then the rest. "" where it would be too long.
std::string print_signature(Expressions& expressions, Ref type, const BinderTable& binders);

}  // namespace leanbridge::index
