#pragma once
/// The process between the bridge and `lake`. Lean's workers are session leaders and grandchildren, so
/// neither a process group nor a death signal reaches them. A child subreaper reaches them: it inherits every
/// orphan below it.

#include <chrono>

namespace leanbridge::io {

/// The time between SIGTERM and SIGKILL when a tree is ended.
inline constexpr std::chrono::seconds kTimeToEnd{2};

/// Name of the hidden subcommand: `leanbridge __supervise PARENT_PID PROGRAM ARGS...`.
inline constexpr const char* kSuperviseCommand = "__supervise";

/// Runs argv (argv[0] = program) as a child with inherited streams, and returns the exit code for main: the
/// child's, 128+n for a signal, 127 if it cannot be started. Ends every descendant before it returns: with
/// SIGKILL at once after the child has ended; on SIGTERM/SIGINT/SIGHUP, or when `parent_pid` dies (Linux
/// parent-death signal), with SIGTERM first and SIGKILL after kTimeToEnd.
int supervise(int parent_pid, char** argv);

}  // namespace leanbridge::io
