#include "core/platform/program.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace leanbridge::platform {

namespace {

// A text such as `mnt:[4026531841]`, with the device, since numbers repeat between machines that share a file
// system.
std::string namespace_id(const char* name) {
  struct stat status {};
  const std::string path = std::string("/proc/self/ns/") + name;
  if (::stat(path.c_str(), &status) != 0) return std::string(name) + "=?";
  return std::string(name) + "=" + std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
}

}  // namespace

char** environment() {
  return environ;
}

void close_descriptors(int first) {
  ::close_range(static_cast<unsigned>(first), ~0U, 0);
}

std::string surroundings() {
  std::string text;
  for (const char* name : {"mnt", "pid", "net", "user", "ipc", "uts"}) text += namespace_id(name) + " ";
  for (int resource = 0; resource < RLIMIT_NLIMITS; ++resource) {
    struct rlimit limit {};
    if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0)
      text += std::to_string(limit.rlim_cur) + "/" + std::to_string(limit.rlim_max) + " ";
  }
  return text;
}

}  // namespace leanbridge::platform
