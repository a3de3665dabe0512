#include "core/platform/program.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

extern "C" char** environ;  // POSIX has no header for it

namespace leanbridge::platform {

char** environment() {
  return environ;
}

void close_descriptors(int first) {
  constexpr long kMost = 1L << 16;  // of a limit of millions, no process of ours uses more
  const long end = std::min(::sysconf(_SC_OPEN_MAX), kMost);
  for (long fd = first; fd < end; ++fd) ::close(static_cast<int>(fd));
}

std::string surroundings() {
  std::string text;
  for (const int resource :
       {RLIMIT_CORE, RLIMIT_CPU, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_STACK, RLIMIT_AS}) {
    struct rlimit limit {};
    if (::getrlimit(static_cast<decltype(RLIMIT_CORE)>(resource), &limit) == 0)
      text += std::to_string(limit.rlim_cur) + "/" + std::to_string(limit.rlim_max) + " ";
  }
  return text;
}

}  // namespace leanbridge::platform
