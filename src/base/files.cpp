#include "leanbridge/base/files.hpp"

#include <sys/stat.h>

#include <cerrno>

namespace leanbridge {

namespace fs = std::filesystem;

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool make_private_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return true;
  fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), S_IRWXU) == 0) return true;
  const int why = errno;
  if (fs::is_directory(folder, error)) return true;  // somebody else was faster
  errno = why;
  return false;
}

}  // namespace leanbridge
