#include "core/platform/program.hpp"
#include <mach-o/dyld.h>

namespace leanbridge::platform {

void remember_program(const char*) {}

// dyld(3): the path by which the program was started.
std::filesystem::path program_path() {
  std::uint32_t size = 0;
  ::_NSGetExecutablePath(nullptr, &size);
  std::string path(size, '\0');
  if (::_NSGetExecutablePath(path.data(), &size) != 0) return {};
  std::error_code error;
  return std::filesystem::canonical(path.c_str(), error);  // empty if it failed
}

std::string this_program() {
  return program_path().string();
}

void hide_from_others() {}  // sysctl(3) shows the variables of a process to its user, whatever that one does

}  // namespace leanbridge::platform
