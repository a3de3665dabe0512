#pragma once
/// Watches files that must not change while a result depends on them. Blocking; callable from any thread.

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace leanbridge {

/// The time now, in ns of the system's clock.
std::int64_t system_time();

/// Whether a file's content or its directory entry may have changed since `time`, in ns of the system's
/// clock. Compares the time of the last change of status, which a program without privileges cannot set.
bool changed_since(const std::filesystem::path& file, std::int64_t time);

class WatchedFiles {
 public:
  /// Records the file or folder that is there now, if any.
  void add(std::filesystem::path path);

  /// The first path that now has another file or none, or whose file may have changed since `time`, in ns of
  /// the system's clock.
  std::optional<std::filesystem::path> first_changed(std::int64_t time) const;

 private:
  /// Identifies a file. If the folder above is exchanged, other files can have the same times.
  struct Identity {
    dev_t device;
    ino_t inode;

    friend bool operator==(const Identity&, const Identity&) = default;
  };
  struct Watched {
    std::filesystem::path path;
    std::optional<Identity> file;
  };
  static std::optional<Identity> identity_of(const std::filesystem::path& path);

  std::vector<Watched> files_;
};

}  // namespace leanbridge
