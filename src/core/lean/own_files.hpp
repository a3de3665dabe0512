#pragma once
/// The Lean files that are a project's own: they are in no package and in no project inside of it, no folder
/// around them is hidden, and no link leads to them.

#include "core/base/error.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::lean {

struct OwnFile {
  std::string name;  ///< relative to the project
  std::filesystem::file_time_type changed;
};

struct OwnFileList {
  std::vector<OwnFile> files;  ///< sorted by name
  bool is_whole = true;        ///< false: the project may have more
};

/// Blocking.
class OwnFiles {
 public:
  /// `root`: a real path.
  explicit OwnFiles(std::filesystem::path root);

  /// The path of a file by its name, relative to the root. OutsideProject for any other path, also an
  /// absolute one; FileNotFound.
  Result<std::filesystem::path> find(const std::filesystem::path& name) const;
  /// All of them, but looks at no more than `limit` Lean files.
  OwnFileList list(std::size_t limit) const;

 private:
  std::filesystem::path root_;
  std::vector<std::filesystem::path> packages_;
};

}  // namespace leanbridge::lean
