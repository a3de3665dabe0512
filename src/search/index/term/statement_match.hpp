#pragma once
/// Matches patterns with statements: up to notation, instances, the names of variables, and hypotheses. Pure
/// functions.

#include "search/index/type_fit.hpp"
#include "statement.hpp"
#include "term_parser.hpp"

namespace leanbridge::index {

/// How well a statement fits a pattern, as in TypePatterns. Both should be completed(). A pattern with holes
/// fits its instances. A statement or goal also fits what is more general. Bounded: gives up on terms that
/// would take too many steps.
double fit_of(const WrittenStatement& pattern, const TypeTerm& target);

/// `p → q` as `p ↔ q`, of the last premise; nullopt: it has none.
std::optional<WrittenStatement> as_equivalence(const WrittenStatement& pattern);

/// The pattern with the sides of its `=` or `↔` exchanged; nullopt: it has another conclusion.
std::optional<WrittenStatement> flipped(const WrittenStatement& pattern);

}  // namespace leanbridge::index
