#include "watched_files.hpp"

#include "core/platform/files.hpp"
#include <sys/stat.h>

#include <chrono>
#include <utility>

namespace leanbridge {

namespace fs = std::filesystem;

bool changed_since(const fs::path& file, std::int64_t time) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return true;
  return platform::changed_ns(status) >= time;
}

std::int64_t system_time() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::optional<WatchedFiles::Identity> WatchedFiles::identity_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return Identity{status.st_dev, status.st_ino};
}

void WatchedFiles::add(fs::path path) {
  const auto file = identity_of(path);
  files_.push_back({std::move(path), file});
}

std::optional<fs::path> WatchedFiles::first_changed(std::int64_t time) const {
  for (const Watched& watched : files_)
    if (identity_of(watched.path) != watched.file || (watched.file && changed_since(watched.path, time)))
      return watched.path;
  return std::nullopt;
}

}  // namespace leanbridge
