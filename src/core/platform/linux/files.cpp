#include "core/platform/files.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace leanbridge::platform {

namespace {

std::string path_of_descriptor(int fd) {
  return "/proc/self/fd/" + std::to_string(fd);
}

}  // namespace

int open_unnamed(int folder, mode_t mode) {
  return ::openat(folder, ".", O_WRONLY | O_CLOEXEC | O_TMPFILE, mode);
}

bool link_unnamed(int fd, int folder, const std::string& name) {
  return ::linkat(AT_FDCWD, path_of_descriptor(fd).c_str(), folder, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

std::filesystem::path real_path(int fd, const std::filesystem::path&) {
  std::error_code error;
  return std::filesystem::read_symlink(path_of_descriptor(fd), error);  // empty if it failed
}

bool open_pipe(int (&ends)[2]) {
  return ::pipe2(ends, O_CLOEXEC) == 0;
}

int reopen(int fd, int flags) {
  return ::open(path_of_descriptor(fd).c_str(), flags | O_CLOEXEC | O_NOCTTY);
}

}  // namespace leanbridge::platform
