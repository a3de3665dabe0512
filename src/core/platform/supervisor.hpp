#pragma once
/// The process between the bridge and `lake`. Lean's workers are session leaders and grandchildren, so
/// neither a process group nor a death signal reaches them. A child subreaper reaches them: it inherits every
/// orphan below it.

#include "program.hpp"
#include <sys/types.h>

#include <chrono>

namespace leanbridge::platform {

/// The time between SIGTERM and SIGKILL when a tree is ended.
inline constexpr std::chrono::seconds kTimeToEnd{2};

/// Name of the hidden subcommand: `leanbridge __supervise PARENT_PID PROGRAM ARGS...`.
inline constexpr const char* kSuperviseCommand = "__supervise";

/// A supervisor that was started.
struct Supervisor {
  pid_t pid = 0;   ///< the negative of an error number if it could not be started
  int ended = -1;  ///< a descriptor of the caller's, readable once the process has ended; -1 with errno: none
};

/// Starts this program as a supervisor, by arguments that begin with its name and kSuperviseCommand.
Supervisor start_supervisor(Start wanted);

/// Reaps a supervisor if it has ended, and then ends what is left in its group where nothing else has.
/// Returns its pid, 0 while it runs, or -1 if there is none.
pid_t collect_supervisor(pid_t pid, int& status);

/// Runs argv (argv[0] = program) as a child with inherited streams, and returns the exit code for main: the
/// child's, 128+n for a signal, 127 if it cannot be started. Ends every descendant before it returns: with
/// SIGKILL at once after the child has ended; on SIGTERM/SIGINT/SIGHUP, or when `parent_pid` dies (Linux
/// parent-death signal), with SIGTERM first and SIGKILL after kTimeToEnd.
int supervise(int parent_pid, char** argv);

}  // namespace leanbridge::platform
