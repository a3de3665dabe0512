#include "leanbridge/lean/workers.hpp"

#include "leanbridge/io/process_tree.hpp"

#include <algorithm>

namespace leanbridge::lean {

std::vector<WorkerProcess> worker_processes(int server) {
  std::vector<WorkerProcess> workers;
  if (server <= 0) return workers;
  for (const io::ProcessInfo& process : io::descendants(server)) {
    const auto& words = process.arguments;
    if (std::find(words.begin(), words.end(), "--worker") != words.end())
      workers.push_back({words.back(), process.pid, process.resident_bytes});
  }
  return workers;
}

}  // namespace leanbridge::lean
