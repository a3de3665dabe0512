#pragma once
/// What the program does beside serving. Each returns the exit code for main.

#include "options.hpp"

namespace leanbridge::app {

/// One call of a tool: its JSON on stdout, progress on stderr where that is a terminal. 0; 1 for a tool's
/// error; 2 for wrong usage; 130 when interrupted.
int call(const Options& options);

/// The tools that the options select: for people, or as tools/list has them.
int list_tools(const Options& options);

/// Looks at everything that a session needs, and says of each what is wrong and what to do. 1 when something
/// is wrong.
int doctor(const Options& options);

}  // namespace leanbridge::app
