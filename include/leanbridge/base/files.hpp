#pragma once
/// What the standard library leaves out about files: descriptors that close themselves, and modes. Blocking;
/// from any thread.

#include <unistd.h>

#include <filesystem>
#include <string_view>

namespace leanbridge {

/// Owns a file descriptor; negative: none.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }

 private:
  int fd_;
};

/// False, with errno, where not all of it could be written.
bool write_all(int fd, std::string_view bytes);

/// Makes the folder where there is none: with mode 0700 from its first moment; what leads to it may be
/// shared. False, with errno, where there is none afterwards. A folder that is there keeps its mode.
bool ensure_folder(const std::filesystem::path& folder);

/// The same for what this program believes when it reads it again. A folder of the user's that others can
/// write to is theirs no longer, with a warning in the log; one of another user (but root), and one that is
/// shared on purpose (sticky, as /tmp), is refused: false, with a warning and EPERM.
bool make_private_folder(const std::filesystem::path& folder);

}  // namespace leanbridge
