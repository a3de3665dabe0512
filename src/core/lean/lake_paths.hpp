#pragma once
/// The folders of a project's modules, according to `lake env`.

#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::lean {

struct LakePaths {
  std::filesystem::path sysroot;               ///< the toolchain's folder; empty: unknown
  std::vector<std::filesystem::path> sources;  ///< LEAN_SRC_PATH without the toolchain's own
  std::vector<std::filesystem::path> modules;  ///< LEAN_PATH without the toolchain's own: folders of compiled
                                               ///< modules
};

/// `environment` has lines `NAME=VALUE`, as `lake env` prints them in `folder`.
LakePaths read_lake_paths(const std::string& environment, const std::filesystem::path& folder);

/// The folder of a toolchain's compiled modules.
std::filesystem::path library_of(const std::filesystem::path& sysroot);

/// All folders of compiled modules, with the toolchain's last.
std::vector<std::filesystem::path> search_path_in(const std::string& environment,
                                                  const std::filesystem::path& folder);

}  // namespace leanbridge::lean
