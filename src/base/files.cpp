#include "leanbridge/base/files.hpp"

#include "leanbridge/base/log.hpp"

#include <fcntl.h>
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

bool ensure_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return true;
  fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), S_IRWXU) == 0) return true;
  const int why = errno;
  if (fs::is_directory(folder, error)) return true;  // somebody else was faster
  errno = why;
  return false;
}

bool make_private_folder(const fs::path& folder) {
  if (!ensure_folder(folder)) return false;
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat status {};
  if (!opened || ::fstat(opened.get(), &status) != 0) return false;
  const bool ours = status.st_uid == ::geteuid();
  const bool shared = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  if (!shared && (ours || status.st_uid == 0)) return true;
  if (ours && (status.st_mode & S_ISVTX) == 0 &&
      ::fchmod(opened.get(), status.st_mode & 07777 & ~static_cast<mode_t>(S_IWGRP | S_IWOTH)) == 0) {
    log::warn("others could write to {}: they cannot any more", folder.string());
    return true;
  }
  log::warn("{} is not used: {}. Name a folder of your own.", folder.string(),
            shared ? "others can write to it" : "it belongs to another user");
  errno = EPERM;
  return false;
}

}  // namespace leanbridge
