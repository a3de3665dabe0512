#include "capacity.hpp"

#include "system_files.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <sstream>
#include <thread>

namespace leanbridge::platform {

namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
constexpr const char* kGroupRoot = "/sys/fs/cgroup";

// The number behind the word at the beginning of a line; nullopt if there is none.
std::optional<std::int64_t> number_behind(const std::string& text, const std::string& word) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(word)) continue;
    std::istringstream fields(line.substr(word.size()));
    std::int64_t value = 0;
    if (fields >> value) return value;
  }
  return std::nullopt;
}

// "max" means no limit.
std::optional<std::int64_t> bytes_in(const std::string& text) {
  std::istringstream fields(text);
  std::int64_t value = 0;
  return fields >> value ? std::optional(value) : std::nullopt;
}

std::string read_small(const std::string& path) {
  constexpr std::size_t kMaxSize = std::size_t{1} << 20;
  return read_system_file(path, kMaxSize);
}

}  // namespace

Capacity capacity_of(const std::string& meminfo, const std::vector<ControlGroup>& groups, std::size_t cores) {
  Capacity capacity;
  capacity.cores = std::max<std::size_t>(cores, 1);
  std::int64_t free = kUnlimited;
  if (const auto kilobytes = number_behind(meminfo, "MemAvailable:")) free = *kilobytes << 10;
  for (const ControlGroup& group : groups) {
    const auto limit = bytes_in(group.memory_max), used = bytes_in(group.memory_now);
    const std::int64_t cached = number_behind(group.memory_stat, "inactive_file ").value_or(0);
    if (limit && used) free = std::min(free, std::max<std::int64_t>(1, *limit - *used + cached));
    std::istringstream quota(group.cpu_max);
    double time = 0, period = 0;
    if (quota >> time >> period && time > 0 && period > 0)
      capacity.cores =
          std::min(capacity.cores, std::max<std::size_t>(1, static_cast<std::size_t>(time / period)));
  }
  capacity.free_bytes = free == kUnlimited ? 0 : free;
  return capacity;
}

std::vector<std::string> control_group_folders(const std::string& self_cgroup, const std::string& root) {
  std::vector<std::string> folders;
  std::istringstream lines(self_cgroup);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("0::/")) continue;
    for (std::string path = line.substr(3); path.size() > 1;) {
      folders.push_back(root + path);
      path.resize(path.rfind('/'));
    }
  }
  folders.push_back(root);
  return folders;
}

Capacity read_capacity() {
  std::vector<ControlGroup> groups;
  for (const std::string& folder : control_group_folders(read_small("/proc/self/cgroup"), kGroupRoot))
    groups.push_back({read_small(folder + "/memory.max"), read_small(folder + "/memory.current"),
                      read_small(folder + "/memory.stat"), read_small(folder + "/cpu.max")});
  const std::string old = std::string(kGroupRoot) + "/memory/";  // the name in version 1, as a container sees
                                                                 // it
  groups.push_back(
      {read_small(old + "memory.limit_in_bytes"), read_small(old + "memory.usage_in_bytes"), {}, {}});
  return capacity_of(read_small("/proc/meminfo"), groups, std::thread::hardware_concurrency());
}

}  // namespace leanbridge::platform
