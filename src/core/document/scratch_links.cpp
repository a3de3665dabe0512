#include "scratch_links.hpp"

#include "core/base/log.hpp"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace leanbridge::document {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFolderPrefix = "links-";
constexpr int kMaxFolders = 10'000;

tl::unexpected<Error> not_made(const fs::path& path, int code) {
  return fail(ErrorKind::Internal,
              path.string() + " cannot be made: " + std::strerror(code) +
                  ". Lake finds the options of a text that is tried by such a link to its file.",
              "Make room or permit writing there, or name another folder with --cache-dir.");
}

// The descriptor of a folder with its lock; empty if a living process holds the lock.
Descriptor try_lock(const fs::path& folder) {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!opened || ::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) return Descriptor(-1);
  return opened;
}

// A process that is killed leaves its folder behind.
void remove_abandoned(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end; entry.increment(error)) {
    if (!entry->path().filename().string().starts_with(kFolderPrefix)) continue;
    const Descriptor lock = try_lock(entry->path());
    std::error_code ignored;
    if (lock) fs::remove_all(entry->path(), ignored);
  }
}

}  // namespace

Result<ScratchLinks> ScratchLinks::create(fs::path parent) {
  std::error_code error;
  if (parent.empty()) parent = fs::temp_directory_path(error) / ("leanbridge-" + std::to_string(::getuid()));
  if (error || !make_private_folder(parent)) return not_made(parent, error ? error.value() : errno);
  remove_abandoned(parent);
  // Each project of a process has a folder of its own, by number, so that runs of a test are alike.
  const std::string prefix = (parent / kFolderPrefix).string() + std::to_string(::getpid()) + "-";
  for (int number = 0; number < kMaxFolders; ++number) {
    const std::string name = prefix + std::to_string(number);
    if (::mkdir(name.c_str(), 0700) != 0 && errno != EEXIST) return not_made(name, errno);
    // Without a lock, another process may consider the folder abandoned and remove it.
    Descriptor lock = try_lock(name);
    if (lock && fs::is_directory(name, error)) return ScratchLinks(name, std::move(lock));
  }
  return not_made(prefix, EEXIST);
}

ScratchLinks::~ScratchLinks() {
  std::error_code ignored;
  if (lock_) fs::remove_all(folder_, ignored);
}

fs::path ScratchLinks::path_of(int number) const {
  return folder_ / (std::string(kScratchName) + std::to_string(number));
}

Result<void> ScratchLinks::point(const fs::path& link, const fs::path& file) const {
  if (::symlink(file.c_str(), link.c_str()) == 0 || errno == EEXIST) return {};
  return not_made(link, errno);
}

void ScratchLinks::remove(const fs::path& link) const {
  if (::unlink(link.c_str()) != 0) log::debug("{}: {}", link.string(), std::strerror(errno));
}

}  // namespace leanbridge::document
