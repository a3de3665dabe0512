#pragma once
/// Universe levels as text.

#include "olean_expr.hpp"

#include <string>

namespace leanbridge::index {

/// `Prop`, `Type`, `Type u`, `Sort (max u v)`: of the level of a sort.
std::string sort_text(Expressions& expressions, Ref level);

}  // namespace leanbridge::index
