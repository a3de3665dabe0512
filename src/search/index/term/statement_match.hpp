#pragma once
/// Matches patterns with statements, up to notation, instances, names of variables, and hypotheses. Pure.

#include "search/index/type_fit.hpp"
#include "statement.hpp"
#include "term_parser.hpp"

namespace leanbridge::index {

/// How well a statement fits a pattern, as in TypePatterns. Both should be completed(). A pattern with holes
/// fits its instances. A statement or goal also fits more general statements. Bounded: gives up on terms that
/// would take too many steps.
double fit_of(const WrittenStatement& pattern, const TypeTerm& target);

/// The pattern with `p → q`, where p is the last premise, turned into `p ↔ q`; nullopt: it has no premise.
std::optional<WrittenStatement> as_equivalence(const WrittenStatement& pattern);

/// The pattern with the sides of its `=` or `↔` exchanged; nullopt: it has another conclusion.
std::optional<WrittenStatement> flipped(const WrittenStatement& pattern);

}  // namespace leanbridge::index
