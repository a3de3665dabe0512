#include "core/platform/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace leanbridge::platform {

int open_unnamed(int, mode_t) {
  errno = ENOTSUP;
  return -1;
}

bool link_unnamed(int, int, const std::string&) {
  errno = ENOTSUP;
  return false;
}

std::filesystem::path real_path(int fd, const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  struct stat opened {
  }, found{};
  if (error || ::fstat(fd, &opened) != 0 || ::lstat(real.c_str(), &found) != 0) return {};
  const bool same = opened.st_dev == found.st_dev && opened.st_ino == found.st_ino;
  return same ? real : std::filesystem::path();
}

bool open_pipe(int (&ends)[2]) {
  if (::pipe(ends) != 0) return false;
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  return true;
}

int reopen(int fd, int flags) {
  std::array<char, 1024> name{};
  if (::ttyname_r(fd, name.data(), name.size()) != 0) return -1;  // pipes have no name to open
  return ::open(name.data(), flags | O_CLOEXEC | O_NOCTTY);
}

}  // namespace leanbridge::platform
