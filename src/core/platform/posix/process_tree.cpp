#include "core/platform/processes.hpp"

#include <map>

namespace leanbridge::platform {

std::vector<int> descendants_of(int root) {
  std::multimap<int, int> by_parent;
  for (const ListedProcess& one : list_processes()) by_parent.emplace(one.parent, one.pid);
  std::vector<int> found;
  for (auto [next, end] = by_parent.equal_range(root); next != end; ++next) found.push_back(next->second);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (auto [next, end] = by_parent.equal_range(found[i]); next != end; ++next)
      found.push_back(next->second);
  return found;
}

std::vector<ProcessInfo> descendants(int root) {
  return process_infos(descendants_of(root));
}

ProcessInfo process_info(int pid) {
  return process_infos({pid}).front();
}

}  // namespace leanbridge::platform
