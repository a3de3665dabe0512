#pragma once
/// What the declarations of a text cost: heartbeats as `maxHeartbeats` counts them, by Lean's own profiler.
/// They differ by thousandths from run to run. Pure.

#include "build_output.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

/// Arguments with which `lean --json` counts heartbeats.
const std::vector<std::string>& cost_options();

struct MeasuredDeclaration {
  int line = 1;  ///< 1-based
  double heartbeats = 0;
};
/// By name with its namespaces; without a name, keyword and number in the text.
using Costs = std::map<std::string, MeasuredDeclaration>;

/// The costs of a text's declarations from what Lean printed about it. Empty if it counted nothing.
Costs read_costs(std::string_view source, const std::vector<CompilerMessage>& messages);

/// A change of heartbeats by less is none: the count of a text's first declarations includes what they set
/// up.
inline constexpr double kLeastCostChange = 1;

/// Whether a declaration costs more than it did by more than `limit` percent.
bool is_dearer(double before, double after, double limit);

}  // namespace leanbridge::lean
