#pragma once
/// The parts of a supervisor (supervisor.hpp) that are the same on all systems.

#include <signal.h>
#include <sys/types.h>

namespace leanbridge::platform {

/// Starts argv as a child with the streams of this process and the signals of `mask` blocked, and calls
/// `in_child` in it first. Returns its pid, or -1 with errno. If there is no such program, the child says so
/// on stderr and ends with 127.
pid_t start_supervised(char** argv, const sigset_t& mask, void (*in_child)());

/// The exit code of a process for main: 128+n for a signal.
int exit_code(int status);

/// The child's exit code, or -1 while it runs. Also reaps orphans that have ended.
int reap(pid_t child);

/// Closes the streams of this process: while it holds them, the bridge does not see them end.
void drop_streams();

}  // namespace leanbridge::platform
