#pragma once
/// What a verdict rests on, watched while untrusted programs run. Blocking. Private to this module.

#include "core/base/watched_files.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::certify {

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
