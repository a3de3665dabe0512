#pragma once
/// Files that nothing may change while untrusted programs run. Blocking. Private to this module.

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

class WatchedFiles {
 public:
  /// Notes which file is there now, if any; or which folder.
  void add(std::filesystem::path path);
  /// Those of a compiled module: `NAME.olean`, `NAME.olean.server` and `NAME.olean.private`.
  void add_module(const std::filesystem::path& olean);

  /// The first path where another file is now, or none, or whose file may have changed since `time`: in ns of
  /// the system's clock.
  std::optional<std::filesystem::path> first_changed(std::int64_t time) const;

 private:
  /// Old files keep their times when the folder above them is exchanged, but they are other files.
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

/// What a verdict rests on, by who may write it.
struct Foundations {
  std::filesystem::path sysroot;
  std::vector<std::string> programs;  ///< of the toolchain, below `sysroot`
  std::vector<std::filesystem::path> kernel;
  std::vector<std::filesystem::path> modules;  ///< compiled ones; an empty path is none
  std::filesystem::path own;                   ///< the folder of what was made for this verdict
};

struct WatchedFoundations {
  WatchedFiles own;      ///< made for this verdict
  WatchedFiles outside;  ///< the toolchain, the kernel, compiled imports
};

WatchedFoundations watch(const Foundations& foundations);

}  // namespace leanbridge::certify
