#pragma once
/// `leanbridge certify` and `leanbridge diff`. The commands return the exit code for main.

#include "core/program/options.hpp"

namespace leanbridge::app {

/// Judges whether a solution proves what a challenge states, and prints the verdict; or records a baseline.
/// Returns 0 if certified, 1 if refused, 2 for wrong usage, 3 if incomplete, 130 when interrupted.
int certify(const Options& options);

/// Prints the changes that the working tree, or a second revision, makes to the declarations of the project:
/// the verdict first, then the changes by file. Returns 0 if no sorry and no axiom is new, 1 if one is, 2 for
/// wrong usage, 3 if not everything could be read, 130 when interrupted.
int diff(const Options& options);

}  // namespace leanbridge::app
