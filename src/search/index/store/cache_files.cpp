#include "cache_files.hpp"

#include "core/base/files.hpp"
#include "core/base/hash.hpp"
#include "core/base/user_folders.hpp"
#include "search/index/local_index.hpp"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <vector>

namespace leanbridge::index {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> databases(const fs::path& folder, const std::string& stem) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(stem + ".") && name.ends_with(".db")) found.push_back(entry->path());
  }
  return found;
}

std::string hex(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15];
  return text;
}

}  // namespace

std::string file_key_of(const std::string& identity) {
  return hex(fnv1a(identity));
}

std::optional<fs::path> newest_database(const fs::path& folder, const std::string& stem) {
  std::optional<fs::path> newest;
  for (const fs::path& path : databases(folder, stem))
    if (!newest || path > *newest) newest = path;
  return newest;
}

fs::path new_database(const fs::path& folder, const std::string& stem) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  fs::path path = folder / (stem + "." + hex(static_cast<std::uint64_t>(nanoseconds)) + ".db");
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return {};
  ::close(file);
  return path;  // SQLite gives its other files the same mode
}

void remove_other_databases(const fs::path& folder, const std::string& stem, const fs::path& keep) {
  std::error_code ignored;
  for (const fs::path& path : databases(folder, stem)) {
    if (path == keep) continue;
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(fs::path(path.string() + suffix), ignored);
  }
}

bool make_folder(const fs::path& folder) {
  return !folder.empty() && make_private_folder(folder) && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

std::uintmax_t bytes_of(const fs::path& database) {
  std::uintmax_t bytes = 0;
  for (const char* suffix : {"", "-wal"}) {
    std::error_code error;
    const auto size = fs::file_size(fs::path(database.string() + suffix), error);
    if (!error) bytes += size;
  }
  return bytes;
}

BuildLock::BuildLock(const fs::path& folder, const std::string& stem) {
  const fs::path path = folder / (stem + ".lock");
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file_ < 0) return;
  if (::flock(file_, LOCK_EX | LOCK_NB) == 0) {
    held_ = true;
    const std::string pid = std::to_string(::getpid());
    // It is only for messages of other processes.
    if (::ftruncate(file_, 0) == 0) [[maybe_unused]]
      const auto written = ::pwrite(file_, pid.data(), pid.size(), 0);
    return;
  }
  char text[16] = {};
  if (::pread(file_, text, sizeof text - 1, 0) > 0) owner_ = std::atoi(text);
}

BuildLock::~BuildLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace leanbridge::index
