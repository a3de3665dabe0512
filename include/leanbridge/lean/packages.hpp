#pragma once
/// The packages of a project, as Lake wrote them down. Blocking: on the pool.

#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::lean {

struct Package {
  std::string name;
  bool is_fetched = false;       ///< by Lake, into the project; otherwise it is used where it is
  std::filesystem::path folder;  ///< absolute; perhaps it is not there
};

/// Of lake-manifest.json in `root`; none where there is no such file, or one that cannot be read.
std::vector<Package> packages_of(const std::filesystem::path& root);

/// The folders of those that are required by their folder (`path = "../core"`), directly or not, in the order
/// of the manifest: their files are edited beside the project's own, and change as those do.
std::vector<std::filesystem::path> path_dependencies(const std::filesystem::path& root);

/// The real paths of the project and its packages, sorted, each once: what a build of the project may write.
std::vector<std::filesystem::path> built_folders(const std::filesystem::path& root);

}  // namespace leanbridge::lean
