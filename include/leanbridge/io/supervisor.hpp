#pragma once
/// The process between the bridge and `lake`. Lean's workers are session leaders and grandchildren: neither a
/// process group nor a death signal reaches them. A child subreaper does, since every orphan below it becomes
/// its child.

#include <chrono>

namespace leanbridge::io {

/// Between the SIGTERM and the SIGKILL of a tree that is to end.
inline constexpr std::chrono::seconds kTimeToEnd{2};

/// Name of the hidden subcommand: `leanbridge __supervise PARENT_PID PROGRAM ARGS...`.
inline constexpr const char* kSuperviseCommand = "__supervise";

/// Runs argv (argv[0] = program) as its child with inherited streams, and returns the exit code for main: the
/// child's, 128+n for a signal, 127 when it cannot be started. Ends every descendant before it returns: at
/// once when the child has ended; on SIGTERM/SIGINT/SIGHUP and when `parent_pid` dies (Linux parent-death
/// signal) by SIGTERM, and after kTimeToEnd by SIGKILL.
int supervise(int parent_pid, char** argv);

}  // namespace leanbridge::io
