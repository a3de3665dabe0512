#include "project_files.hpp"

#include <algorithm>

namespace leanbridge::tools {

std::vector<std::string> lean_files_below(const std::filesystem::path& root, std::size_t limit) {
  namespace fs = std::filesystem;
  constexpr int kMaxDepth = 32;  // of folders
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(root, fs::directory_options::skip_permission_denied, error), end;
  while (!error && entry != end && files.size() < limit) {
    const fs::path path = entry->path();
    std::error_code ignored;
    if (path.filename().string().starts_with(".") || entry.depth() >= kMaxDepth)
      entry.disable_recursion_pending();
    else if (path.extension() == ".lean" && entry->is_regular_file(ignored))
      files.push_back(path.lexically_relative(root).string());
    entry.increment(error);
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace leanbridge::tools
