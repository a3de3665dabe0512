#pragma once
/// All processes, for systems whose supervisor does not inherit orphans.

#include <sys/types.h>

#include <vector>

namespace leanbridge::platform {

struct ListedProcess {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  double age_s = 0;
};

/// The processes that have not ended. Empty if the system does not tell.
std::vector<ListedProcess> list_processes();

}  // namespace leanbridge::platform
