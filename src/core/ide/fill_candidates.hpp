#pragma once
/// Which tactics are tried at a goal. Pure.

#include "fill_script.hpp"
#include "goals.hpp"
#include "tactic_counts.hpp"

#include <set>
#include <string>
#include <vector>

namespace leanbridge::ide {

/// Tactics that do not depend on the goal: Lean's own, then those of libraries.
class TacticSet {
 public:
  TacticSet();

  const Candidates& cheap() const { return cheap_; }
  /// Tactics that may take a second where they fail.
  const Candidates& dear() const { return dear_; }
  Candidates all() const;
  bool has(const std::string& tactic) const;
  /// Removes tactics that the file does not have.
  void remove(const std::set<std::string>& missing);
  /// Puts the tactics first that have closed most places.
  void sort(const TacticCounts& counts);

 private:
  Candidates cheap_, dear_;
};

/// The names, as written, of the definitions in a text: a goal about these must unfold them first.
std::vector<std::string> definitions_of(std::string_view source);

/// Tactics that unfold the definitions that a goal mentions.
Candidates by_definitions(const StructuredGoal& goal, const std::vector<std::string>& definitions,
                          const TacticSet& tactics);
/// Induction on, or cases of, a variable, each of which one tactic then closes; small witnesses.
Candidates by_cases(const StructuredGoal& goal, const std::vector<std::string>& definitions,
                    const TacticSet& tactics);
/// Cases, each closed by a tactic that may take seconds before it fails.
Candidates by_dear_cases(const StructuredGoal& goal, const std::vector<std::string>& definitions,
                         const TacticSet& tactics);
/// Tactics that search for a theorem, which take seconds each.
Candidates by_search();

}  // namespace leanbridge::ide
