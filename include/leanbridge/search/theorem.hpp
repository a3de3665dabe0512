#pragma once
/// A theorem, merged from all sources, and how well it answers a query.

#include "leanbridge/search/backend.hpp"
#include "leanbridge/search/query.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::search {

/// Where a field comes from. A higher value replaces a lower one.
enum class Trust { None, Printed, Backend, Index, Lean };

struct Theorem {
  Hit hit;  ///< merged: each field from the most trusted source
  Trust type_from = Trust::None;
  Trust place_from = Trust::None;  ///< module, file, line, kind
  Trust docstring_from = Trust::None;
  std::map<std::string, std::size_t> ranks;  ///< source -> 1-based rank in its answer
  bool by_pattern = false;                   ///< Lean itself matched the type: Loogle, exact?
  double index_score = 0;                    ///< the best that the local index gave it, 0..1
  bool closes_goal = false;                  ///< Lean says so
  bool only_fallback = false;                ///< only fallbacks found it
  std::optional<bool> in_environment;        ///< nullopt: Lean was not asked
  std::vector<std::size_t> found_by;         ///< of several phrasings, those that have it, from 1

  double type_score = 0;       ///< the part of the score that is the type's, 0..1
  bool type_readable = false;  ///< its notation is known
  double score = 0;            ///< 0..1 (docs/search.md)
  double confidence = 0;       ///< 0..1: the score, raised by agreeing sources
};

/// The answer of one source.
struct Ranked {
  std::string source;
  std::vector<Hit> hits;     ///< best first
  bool index = false;        ///< the local index
  bool by_pattern = false;   ///< Lean itself matched the type
  bool closes_goal = false;  ///< the first hit does
  bool fallback = false;     ///< replaces a source that failed
};

/// Merges hits with the same full name, filling fields from all sources. Ordered by first occurrence.
std::vector<Theorem> merge(const std::vector<Ranked>& answers);

/// Facts from Lean override all others.
void apply_lean_facts(Theorem& theorem, std::string type, std::string module, std::string docstring);

/// Scores and sorts: best first, ties by length of the name, then alphabetically.
void rank(std::vector<Theorem>& theorems, const Query& query);

/// Removes what does not fit the type of a query that filters by it, unless nothing fits. Names and types
/// that nobody knows stay. Returns how many were removed. Call it after rank().
std::size_t keep_fitting(std::vector<Theorem>& theorems, const Query& query);

/// A type in the one form that answers have: a type that Lean reads after `example :`, on one line. Sources
/// also return signatures, `(n m : Nat) : n + m = m + n`, which becomes `∀ (n m : Nat), n + m = m + n`, and
/// whole declarations, `theorem Nat.add_comm (n m : Nat) : …`.
std::string as_type(std::string_view written);

/// How well a type matches a pattern, 0..1.
double type_match(const TypePattern& wanted, std::string_view type);

}  // namespace leanbridge::search
