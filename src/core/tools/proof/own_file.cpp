#include "own_file.hpp"

#include "core/lean/project.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace fs = std::filesystem;

// A link may lead into another project, and a dependency must stay as its revision is.
Result<void> require_own_file(const document::DocumentStore& store, const fs::path& path,
                              const fs::path& named) {
  const fs::path& root = store.root();
  const fs::path relative = path.lexically_relative(root);
  if (std::find(relative.begin(), relative.end(), ".lake") != relative.end())
    return fail(ErrorKind::OutsideProject, path.string() + " belongs to a dependency or a build.",
                "Pass one of the project's own files.");
  std::error_code error;
  const fs::path folder = fs::canonical(named.parent_path(), error);
  if (error || lean::find_project_root(folder) != root)
    return fail(ErrorKind::OutsideProject, named.string() + " is a link that leads out of its project.",
                "Pass the path of the file itself.");
  return {};
}

}  // namespace leanbridge::tools
