#pragma once
/// The cost of each declaration of a text: heartbeats as `maxHeartbeats` counts them, by Lean's own profiler.
/// They differ by thousandths from run to run. Pure.

#include "core/lean/build_output.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::certify {

/// Arguments with which `lean --json` counts heartbeats.
const std::vector<std::string>& cost_options();

struct MeasuredDeclaration {
  int line = 1;  ///< 1-based
  double heartbeats = 0;
};
/// By name with its namespaces, or, without a name, by keyword and number in the text.
using Costs = std::map<std::string, MeasuredDeclaration>;

/// The costs of a text's declarations, read from Lean's messages about it. Empty if Lean counted nothing.
Costs read_costs(std::string_view source, const std::vector<lean::CompilerMessage>& messages);

/// A smaller difference of heartbeats does not count: the first declarations of a text include the cost of
/// setting up.
inline constexpr double kLeastCostChange = 1;

/// Whether the cost of a declaration has grown by more than `limit` percent.
bool is_dearer(double before, double after, double limit);

}  // namespace leanbridge::certify
