#pragma once
/// The worker processes of a server: Lean starts one per open document, as `lean --worker ... URI`.

#include <cstdint>
#include <string>
#include <vector>

namespace leanbridge::lean {

struct WorkerProcess {
  std::string uri;
  int pid = 0;
  std::int64_t resident_bytes = 0;  ///< pages shared with others (.olean files) included
};

/// All workers below the process `server`, in no order. Blocking: it reads /proc.
std::vector<WorkerProcess> worker_processes(int server);

}  // namespace leanbridge::lean
