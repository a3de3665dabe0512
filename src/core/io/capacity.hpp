#pragma once
/// The number of workers that a machine can run, by what its system reports.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace leanbridge::io {

/// The processors and the memory that this process may use.
struct Capacity {
  std::size_t cores = 1;
  std::int64_t free_bytes = 0;  ///< of memory, where caches count as free; 0: unknown
};

/// The files of a control group that limit this process; empty if missing. Version 1 has other names.
struct ControlGroup {
  std::string memory_max;   ///< memory.max
  std::string memory_now;   ///< memory.current
  std::string memory_stat;  ///< memory.stat, whose inactive_file is given back on demand
  std::string cpu_max;      ///< cpu.max: "QUOTA PERIOD"
};

/// `meminfo`: /proc/meminfo. `groups`: the control groups around this process; the tightest limits count.
/// `cores`: the cores that it may run on.
Capacity capacity_of(const std::string& meminfo, const std::vector<ControlGroup>& groups, std::size_t cores);

/// The folders of the control groups around this process, below `root`, innermost first, from
/// /proc/self/cgroup (version 2).
std::vector<std::string> control_group_folders(const std::string& self_cgroup, const std::string& root);

/// The capacity of this process now. Blocking: reads a few small files.
Capacity read_capacity();

/// The number of workers that fit if each takes as much as the first one and some more: at least one, at most
/// one per core. `worker_bytes`: the memory of the first one, which is running already.
std::size_t workers_for(const Capacity& capacity, std::int64_t worker_bytes);

/// The limit for one worker if the user has set none: an equal share, but at least 2 GiB. 0: unknown.
std::int64_t default_worker_limit(const Capacity& capacity, std::size_t workers);

}  // namespace leanbridge::io
