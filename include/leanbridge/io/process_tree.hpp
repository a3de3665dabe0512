#pragma once
/// Reading /proc: who is below a process, and what it costs. Blocking: on the pool.

#include <cstdint>
#include <string>
#include <vector>

namespace leanbridge::io {

struct ProcessInfo {
  int pid = 0;
  std::vector<std::string> arguments;
  std::int64_t resident_bytes = 0;
};

/// The pids of all processes below `root` (not itself), parents before their children, zombies included.
std::vector<int> descendants_of(int root);

/// The same, with what there is to know of each.
std::vector<ProcessInfo> descendants(int root);

/// Resident memory of this process, in bytes.
std::int64_t own_resident_bytes();

}  // namespace leanbridge::io
