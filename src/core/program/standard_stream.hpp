#pragma once
/// stdin and stdout for asynchronous use.

#include "core/platform/files.hpp"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace leanbridge::app {

/// A standard descriptor that can be made non-blocking without affecting other processes that share the open
/// file. Pipes and terminals are opened again, where the system can. Otherwise this duplicates the
/// descriptor and restores its flags at the end.
class StandardStream {
 public:
  StandardStream(int descriptor, int flags) : original_(descriptor) {
    struct stat status {};
    const bool reopen =
        ::fstat(descriptor, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode));
    if (reopen) fd_ = platform::reopen(descriptor, flags);
    if (fd_ >= 0) return;
    old_flags_ = ::fcntl(descriptor, F_GETFL);
    fd_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  }
  StandardStream(const StandardStream&) = delete;
  StandardStream& operator=(const StandardStream&) = delete;
  ~StandardStream() {
    if (old_flags_ >= 0) ::fcntl(original_, F_SETFL, old_flags_);
  }
  bool valid() const { return fd_ >= 0; }
  int fd() const { return fd_; }

 private:
  int original_;
  int fd_ = -1;
  int old_flags_ = -1;
};

}  // namespace leanbridge::app
