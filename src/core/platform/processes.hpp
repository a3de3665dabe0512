#pragma once
/// Processes, their descendants and their use of the machine, where systems differ. Each folder beside this
/// header implements it for one system. Blocking: call it on the pool.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace leanbridge::platform {

struct ProcessInfo {
  int pid = 0;
  std::vector<std::string> arguments;
  std::int64_t resident_bytes = 0;
};

/// A process among all others. On Linux, whose supervisor inherits orphans, without group and age.
struct ListedProcess {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  double age_s = 0;
};

/// The processes of the machine; on Linux with zombies. Empty if the system does not tell.
std::vector<ListedProcess> list_processes();

/// The pids of all descendants of `root`, without itself, parents before children. On Linux with zombies.
std::vector<int> descendants_of(int root);

/// A process with its arguments and memory; both are empty if it is gone.
ProcessInfo process_info(int pid);

/// The same of several, in their order.
std::vector<ProcessInfo> process_infos(const std::vector<int>& pids);

/// The descendants of `root`, with their arguments and memory.
std::vector<ProcessInfo> descendants(int root);

/// The time that the threads of a process have computed, or waited for a processor, in seconds; negative if
/// it is gone. If the kernel counts nanoseconds, threads that have ended do not count, so the value may fall.
double cpu_seconds(int pid);

/// The time that a process has computed, including its ended threads, in seconds, in steps of a few
/// milliseconds, or of one second on POSIX alone; negative if it is gone or the system does not tell.
double processor_seconds(int pid);

/// The age of a process in seconds; negative if it is gone.
double age_seconds(int pid);

/// When a process started, in a unit of the system's: with the pid, it tells a process from a later one. -1
/// if it is gone, or has ended and was not waited for yet.
std::int64_t started_at(int pid);

/// The shortest time after which a difference of `cpu_seconds` is meaningful.
std::chrono::milliseconds cpu_window();

/// Resident memory of this process, in bytes; on POSIX alone the most that it ever had. Short: any thread.
std::int64_t own_resident_bytes();

}  // namespace leanbridge::platform
