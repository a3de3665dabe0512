#pragma once
/// Theorems from several sources as one list, merged and ranked by how well they answer a query.

#include "backend.hpp"
#include "query.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::search {

/// Merges hits with the same full name, and fills fields from all sources. Ordered by first occurrence.
std::vector<Theorem> merge(std::vector<Found> answers);

/// Facts from Lean override all others.
void apply_lean_facts(Theorem& theorem, std::string type, std::string module, std::string docstring);

/// Scores and sorts: best first; equal ones by length of the name, then alphabetically.
void rank(std::vector<Theorem>& theorems, const Query& query);

/// Removes theorems that do not fit the type of a query that filters by it, unless none fits. Theorems whose
/// name or type is unknown stay. Call it after rank().
void keep_fitting(std::vector<Theorem>& theorems, const Query& query);

/// A type in the one form that answers have: a type that Lean reads after `example :`, on one line. Sources
/// also return signatures, `(n m : Nat) : n + m = m + n`, which becomes `∀ (n m : Nat), n + m = m + n`, and
/// whole declarations, `theorem Nat.add_comm (n m : Nat) : …`.
std::string as_type(std::string_view written);

}  // namespace leanbridge::search
