#include "core/platform/machine.hpp"
#include "system_files.hpp"

#include <cctype>
#include <charconv>
#include <filesystem>

namespace leanbridge::platform {

namespace {

std::uint64_t number_in(const std::string& file) {
  const std::string text = read_system_file(file, std::size_t{1} << 10);
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Instances that programs of this user have open, as far as they are visible.
std::uint64_t inotify_in_use() {
  std::uint64_t count = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator process("/proc", error), end; !error && process != end;
       process.increment(error)) {
    if (std::isdigit(static_cast<unsigned char>(process->path().filename().string().front())) == 0) continue;
    std::error_code gone;
    for (std::filesystem::directory_iterator fd(process->path() / "fd", gone), last; !gone && fd != last;
         fd.increment(gone)) {
      std::error_code closed;
      if (std::filesystem::read_symlink(fd->path(), closed) == "anon_inode:inotify") ++count;
    }
  }
  return count;
}

}  // namespace

WatchLimits watch_limits() {
  return {number_in("/proc/sys/fs/inotify/max_user_instances"), inotify_in_use(),
          number_in("/proc/sys/fs/inotify/max_user_watches")};
}

}  // namespace leanbridge::platform
