#pragma once
/// Figures of Linux about processors and memory.

#include "core/platform/machine.hpp"

#include <string>
#include <vector>

namespace leanbridge::platform {

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

}  // namespace leanbridge::platform
