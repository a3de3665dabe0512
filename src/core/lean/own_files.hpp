#pragma once
/// The Lean files that are a project's own: they are in no package and in no project inside of it, no folder
/// around them is hidden, and no link leads to them.

#include "core/base/error.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::lean {

/// The path of a file by its name, relative to the project. `root`: a real path. OutsideProject if it is not
/// the project's own, also for an absolute name; FileNotFound. Blocking.
Result<std::filesystem::path> find_own_file(const std::filesystem::path& root,
                                            const std::filesystem::path& name);

struct OwnFile {
  std::string name;  ///< relative to the project
  std::filesystem::file_time_type changed;
};

struct OwnFileList {
  std::vector<OwnFile> files;  ///< sorted by name
  bool is_whole = true;        ///< false: the project may have more
};

/// All of them, but looks at no more than `limit` Lean files. Blocking.
OwnFileList own_files(const std::filesystem::path& root, std::size_t limit);

}  // namespace leanbridge::lean
