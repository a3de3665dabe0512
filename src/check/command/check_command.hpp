#pragma once
/// `leanbridge check`.

#include "core/program/options.hpp"

namespace leanbridge::app {

/// Checks many items, or with --merge joins the verdicts of earlier runs. Prints a line of JSON per item.
/// Returns 0 for success; 1 with --strict if one is not ok; 2 for wrong usage; 3 if not all were judged.
int check(const Options& options);

}  // namespace leanbridge::app
