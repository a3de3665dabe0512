#pragma once
/// The type of a compiled constant as a TypeTerm, for patterns to match.

#include "core/olean/olean_expr.hpp"
#include "search/index/term/statement.hpp"

namespace leanbridge::index {

/// The type with all arguments of constants, but with holes for instances, for proofs of bounds, and for
/// terms that are nested too deeply.
TypeTerm statement_of(olean::Expressions& expressions, olean::Ref type);

}  // namespace leanbridge::index
