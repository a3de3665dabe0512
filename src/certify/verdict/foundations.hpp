#pragma once
/// Watches the files that a verdict rests on while untrusted programs run. Blocking. Private to this module.

#include "core/base/watched_files.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// The files that a verdict rests on, by who may write them.
struct Foundations {
  std::filesystem::path sysroot;
  std::vector<std::string> programs;  ///< of the toolchain, below `sysroot`
  std::vector<std::filesystem::path> kernel;
  std::vector<std::filesystem::path> modules;  ///< compiled modules; an empty path means none
  std::filesystem::path own;                   ///< the folder with files made for this verdict
};

struct WatchedFoundations {
  WatchedFiles own;      ///< files made for this verdict
  WatchedFiles outside;  ///< the toolchain, the kernel, and compiled imports
};

WatchedFoundations watch(const Foundations& foundations);

}  // namespace leanbridge::certify
