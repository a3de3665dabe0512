#pragma once
/// Prints types roughly as Lean does. The index needs words to search and lines to read; unlike Lean's
/// printer, this one knows few notations and no coercions or options.

#include "leanbridge/index/olean_expr.hpp"
#include "leanbridge/index/readers.hpp"

#include <string>

namespace leanbridge::index {

/// `(n m : Nat) : n + m = m + n`: the leading binders, then the rest. "" if it would be too long.
std::string print_signature(Expressions& expressions, Ref type, const BinderTable& binders);

}  // namespace leanbridge::index
