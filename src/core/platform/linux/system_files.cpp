#include "system_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace leanbridge::platform {

std::string read_system_file(const std::string& path, std::size_t limit) {
  constexpr std::size_t kPiece = 4u << 10;  // bytes; such files have no size
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return "";
  std::string content;
  for (ssize_t count = 1; count > 0 && content.size() <= limit;) {
    const std::size_t had = content.size();
    content.resize(had + std::max(kPiece, had));
    do count = ::read(fd, content.data() + had, content.size() - had);
    while (count < 0 && errno == EINTR);
    content.resize(had + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count < 0) content.clear();
  }
  ::close(fd);
  return content.size() <= limit ? content : "";
}

}  // namespace leanbridge::platform
