#include "core/platform/program.hpp"
#include <sys/prctl.h>

namespace leanbridge::platform {

namespace {

constexpr const char* kThisProgram = "/proc/self/exe";

}  // namespace

void remember_program(const char*) {}  // the kernel knows

std::string this_program() {
  return kThisProgram;
}

std::filesystem::path program_path() {
  std::error_code error;
  return std::filesystem::read_symlink(kThisProgram, error);  // empty if it failed
}

void hide_from_others() {
  ::prctl(PR_SET_DUMPABLE, 0);
}

}  // namespace leanbridge::platform
