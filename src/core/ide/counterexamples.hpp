#pragma once
/// Small values for the variables of a goal, and tactics that show with them that it does not hold. Pure.

#include "goals.hpp"

#include <string>
#include <vector>

namespace leanbridge::ide {

struct Counterexample {
  std::string values;  ///< `a = 0, b = 1`
  std::string tactic;  ///< closes the goal, by the axiom of WithAxiom, exactly if the goal is false for these
                       ///< values
};

/// Counterexamples to try, the smallest first. Empty: a hypothesis has no name or has a value, or no values
/// are known for the type of a variable. The tactics use `deciders` to prove that the hypotheses hold and the
/// goal does not.
std::vector<Counterexample> counterexamples(const StructuredGoal& goal,
                                            const std::vector<std::string>& deciders);

}  // namespace leanbridge::ide
