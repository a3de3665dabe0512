#pragma once
/// Processes, their descendants and what they use, read from /proc. Blocking: call it on the pool.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace leanbridge::io {

struct ProcessInfo {
  int pid = 0;
  std::vector<std::string> arguments;
  std::int64_t resident_bytes = 0;
};

/// The pids of all descendants of `root`, without itself, parents before children, zombies included.
std::vector<int> descendants_of(int root);

/// A process with its arguments and memory, both empty if it is gone.
ProcessInfo process_info(int pid);

/// The descendants of `root`, with their arguments and memory.
std::vector<ProcessInfo> descendants(int root);

/// The time that the threads of a process have computed, or waited for a processor, in seconds; negative if
/// it is gone. Where the kernel counts nanoseconds, threads that have ended do not count, so it may go down.
double cpu_seconds(int pid);

/// The time that a process has computed, threads that have ended included, in seconds, in steps of a few
/// milliseconds; negative if it is gone or the system does not tell.
double processor_seconds(int pid);

/// How long a process has existed, in seconds; negative if it is gone.
double age_seconds(int pid);

/// The shortest time over which a difference of `cpu_seconds` means anything.
std::chrono::milliseconds cpu_window();

/// Resident memory of this process, in bytes.
std::int64_t own_resident_bytes();

}  // namespace leanbridge::io
