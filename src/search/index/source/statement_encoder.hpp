#pragma once
/// The type of a compiled constant as a TypeTerm, for patterns to match.

#include "core/olean/olean_expr.hpp"
#include "search/index/term/statement.hpp"

namespace leanbridge::index {

/// With all arguments of constants, but holes for instances, proofs of bounds, and what lies too deep.
TypeTerm statement_of(olean::Expressions& expressions, olean::Ref type);

}  // namespace leanbridge::index
