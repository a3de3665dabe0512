#include "core/platform/machine.hpp"

#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace leanbridge::platform {

bool fill_with_random_bytes(char* bytes, std::size_t count) {
  // The call returns all of up to 256 bytes, or none.
  return count <= 256 && ::getrandom(bytes, count, 0) == static_cast<ssize_t>(count);
}

void lower_priority_of_this_thread() {
  const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
  // On a busy machine a tenth of a processor still has to be enough.
  ::setpriority(PRIO_PROCESS, thread, 10);
  // The idle class for the disk. 1 means a thread, 3 << 13 the class; glibc has no wrapper.
  ::syscall(SYS_ioprio_set, 1, thread, 3 << 13);
}

}  // namespace leanbridge::platform
