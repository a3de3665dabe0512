#pragma once
/// `certify --input`: judges many pairs and prints a line of JSON for each.

#include "core/program/options.hpp"

namespace leanbridge::app {

/// Judges the pairs of the input, each within `seconds`, and prints each verdict as soon as it is known.
/// Returns 0 if all are certified, 1 if all were judged and one is refused, 2 for wrong usage, 3 otherwise,
/// 130 when interrupted.
int certify_batch(const Options& options, double seconds);

}  // namespace leanbridge::app
