#pragma once
/// One theorem, as all sources together tell of it, and how well it answers a query.

#include "leanbridge/search/backend.hpp"
#include "leanbridge/search/query.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::search {

/// Whose word a field is. A higher one replaces a lower one.
enum class Trust { None, Printed, Backend, Index, Lean };

struct Theorem {
  Hit hit;  ///< joined: each field from the best that has it
  Trust type_from = Trust::None;
  Trust place_from = Trust::None;  ///< module, file, line, kind
  Trust docstring_from = Trust::None;
  std::map<std::string, std::size_t> ranks;  ///< source -> 1-based rank in its answer
  bool by_pattern = false;                   ///< Loogle has found it by the type that is looked for
  bool only_fallback = false;                ///< no source but one that stands in for another has it
  std::optional<bool> in_environment;        ///< Lean was asked

  double score = 0;       ///< 0..1 (docs/search.md)
  double confidence = 0;  ///< 0..1: the score, raised by agreement
};

/// The service of a source: "loogle" for "loogle@team", which is one behind MCP; the name itself for any
/// other.
inline std::string_view service_of(std::string_view source) {
  return source.substr(0, source.find('@'));
}

/// Loogle, on the network or on this machine: it matches types, and its order says nothing of meaning.
inline bool is_loogle(std::string_view source) {
  return service_of(source) == "loogle" || source == "loogle_local";
}

/// What one source has answered.
struct Ranked {
  std::string source;
  std::vector<Hit> hits;  ///< best first
  std::vector<bool>
      printed;         ///< of a hit: its type was printed from compiled data, not by Lean; may be shorter
  bool index = false;  ///< our own index
  bool by_pattern = false;  ///< asked for a type, and matched by Lean itself
  bool fallback = false;    ///< stands in for a source that failed
};

/// Joins hits of the same full name, and fills in what one source has and another has not. In the order in
/// which the names come first.
std::vector<Theorem> merge(const std::vector<Ranked>& answers);

/// What Lean has said of a name goes over everything else.
void apply_lean_facts(Theorem& theorem, std::string type, std::string module, std::string docstring);

/// Scores all and sorts: best first, equal ones by length and then order of their names.
void rank(std::vector<Theorem>& theorems, const Query& query);

/// How well a type matches a pattern, 0..1: the one place of that comparison.
double type_match(const TypePattern& wanted, std::string_view type);

}  // namespace leanbridge::search
