#include "own_files.hpp"

#include "project.hpp"

#include <algorithm>

namespace leanbridge::lean {

namespace fs = std::filesystem;

Result<fs::path> find_own_file(const fs::path& root, const fs::path& name) {
  const auto is_hidden = [](const fs::path& part) { return part.native().starts_with('.'); };
  const fs::path path = root / name;
  std::error_code error;
  bool is_own = name.is_relative() && name.extension() == ".lean" && std::ranges::none_of(name, is_hidden);
  const fs::path real = is_own ? fs::canonical(path, error) : fs::path();
  if (error == std::errc::no_such_file_or_directory)
    return fail(ErrorKind::FileNotFound, "File not found: " + path.string() + ".",
                "Pass the path of a Lean file.");
  is_own = is_own && !error && real == path && innermost_project(path.parent_path()) == root;
  if (is_own) return path;
  return fail(ErrorKind::OutsideProject,
              name.string() + " is none of the own Lean files of " + root.string() + ".",
              "Pass a path below that folder: no link, no package, no `..`.");
}

OwnFileList own_files(const fs::path& root, std::size_t limit) {
  std::vector<std::string> names = lean_files_below(root, limit);
  OwnFileList list{{}, names.size() < limit};
  for (std::string& name : names) {
    std::error_code error;
    if (const auto path = find_own_file(root, name); path)
      if (const auto changed = fs::last_write_time(*path, error); !error)
        list.files.push_back({std::move(name), changed});
  }
  return list;
}

}  // namespace leanbridge::lean
