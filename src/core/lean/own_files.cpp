#include "own_files.hpp"

#include "project.hpp"

#include <algorithm>

namespace leanbridge::lean {

namespace fs = std::filesystem;

OwnFiles::OwnFiles(fs::path root) : root_(std::move(root)), packages_(built_folders(root_)) {
  std::erase(packages_, root_);
}

Result<fs::path> OwnFiles::find(const fs::path& name) const {
  const auto is_hidden = [](const fs::path& part) { return part.native().starts_with('.'); };
  fs::path path = root_ / name;
  std::error_code error;
  bool is_own = name.is_relative() && name.extension() == ".lean" && std::ranges::none_of(name, is_hidden);
  const fs::path real = is_own ? fs::canonical(path, error) : fs::path();
  if (error == std::errc::no_such_file_or_directory)
    return fail(ErrorKind::FileNotFound, "File not found: " + path.string() + ".",
                "Pass the path of a Lean file.");
  is_own = is_own && !error && real == path && find_project_root(path.parent_path()) == root_ &&
           std::ranges::none_of(packages_, [&](const fs::path& each) { return is_within(path, each); });
  if (is_own) return path;
  return fail(ErrorKind::OutsideProject,
              name.string() + " is none of the own Lean files of " + root_.string() + ".",
              "Pass a path below that folder: no link, no package, no `..`.");
}

OwnFileList OwnFiles::list(std::size_t limit) const {
  std::vector<std::string> names = lean_files_below(root_, limit);
  OwnFileList list{{}, names.size() < limit};
  for (std::string& name : names) {
    std::error_code error;
    if (const auto path = find(name); path)
      if (const auto changed = fs::last_write_time(*path, error); !error)
        list.files.push_back({std::move(name), changed});
  }
  return list;
}

}  // namespace leanbridge::lean
