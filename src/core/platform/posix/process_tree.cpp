#include "core/platform/processes.hpp"

namespace leanbridge::platform {

std::vector<int> descendants_of(int root) {
  const std::multimap<int, int> by_parent = processes_by_parent();
  std::vector<int> found;
  for (auto [next, end] = by_parent.equal_range(root); next != end; ++next) found.push_back(next->second);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (auto [next, end] = by_parent.equal_range(found[i]); next != end; ++next)
      found.push_back(next->second);
  return found;
}

std::vector<ProcessInfo> descendants(int root) {
  std::vector<ProcessInfo> found;
  for (int pid : descendants_of(root)) found.push_back(process_info(pid));
  return found;
}

}  // namespace leanbridge::platform
