#pragma once
/// Small values for the variables of a goal, and tactics that show with them that it does not hold. Pure.
/// Private to this module.

#include "core/ide/goals.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <string>
#include <vector>

namespace leanbridge::tools {

struct Counterexample {
  std::string values;  ///< `a = 0, b = 1`
  std::string tactic;  ///< closes the goal, by the axiom of WithAxiom, exactly if it is false for them
};

/// Counterexamples to try, the smallest first. Empty: a hypothesis has no name or a value, or nothing is
/// known of a variable's type. The tactics prove that hypotheses hold and the goal does not by `deciders`,
/// tactics.
std::vector<Counterexample> counterexamples(const StructuredGoal& goal,
                                            const std::vector<std::string>& deciders);

}  // namespace leanbridge::tools
