#pragma once
/// Where the modules of a project are, as `lake env` tells it.

#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::lean {

struct LakePaths {
  std::filesystem::path sysroot;               ///< of the toolchain; empty: unknown
  std::vector<std::filesystem::path> sources;  ///< LEAN_SRC_PATH without the toolchain's own
  std::vector<std::filesystem::path> modules;  ///< LEAN_PATH without it: folders of compiled modules
};

/// `environment`: lines `NAME=VALUE`, as `lake env` prints them in `folder`.
LakePaths read_lake_paths(const std::string& environment, const std::filesystem::path& folder);

/// The compiled modules of a toolchain.
std::filesystem::path library_of(const std::filesystem::path& sysroot);

/// All folders of compiled modules, the toolchain's last.
std::vector<std::filesystem::path> search_path_in(const std::string& environment,
                                                  const std::filesystem::path& folder);

}  // namespace leanbridge::lean
