#include "files_in_order.hpp"

#include "core/document/file.hpp"
#include "core/lean/imports.hpp"
#include "core/lean/project.hpp"
#include "core/text/lean_header.hpp"
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace leanbridge::ide {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxFiles = 300;

struct OrderedFile {
  std::size_t imports = 0;  ///< the number of project files that it imports, directly or not: more than any
                            ///< of those has
  std::string named;
  fs::path path;
};

// Blocking. A file that cannot be read imports nothing.
std::vector<std::string> in_order(const fs::path& root, std::vector<OrderedFile> files) {
  lean::ImportWatch watch(root);
  for (OrderedFile& file : files)
    if (const auto text = document::load_bytes(file.path, file.named))
      file.imports = watch.state_of(text::parse_lean_header(*text).imported_modules()).size();
  std::ranges::stable_sort(files, [](const auto& a, const auto& b) { return a.imports < b.imports; });
  std::vector<std::string> paths;
  for (OrderedFile& file : files) paths.push_back(std::move(file.named));
  return paths;
}

/// Whether there may be Lean files below a folder. Blocking.
bool may_have_sources(const fs::path& folder) {
  constexpr int kMaxSeen = 2000;
  int seen = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".lean" || ++seen > kMaxSeen) return true;
  return static_cast<bool>(error);
}

/// Links to folders, and entries that are named like Lean files but are no files. Blocking.
std::vector<NamedFiles::LeftOut> left_out_below(const fs::path& folder, const fs::path& named) {
  std::vector<NamedFiles::LeftOut> found;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end;
       !error && entry != end && found.size() < kMaxFiles; entry.increment(error)) {
    const fs::path& path = entry->path();
    std::error_code ignored;
    const bool is_folder = entry->is_directory(ignored), is_link = entry->is_symlink(ignored);
    if (path.filename().string().starts_with('.')) {
      if (is_folder) entry.disable_recursion_pending();
      continue;
    }
    std::string why;
    if (is_folder && is_link && may_have_sources(path))
      why = "It is a link to a folder, which is not followed: pass the folder itself.";
    else if (!is_folder && path.extension() == ".lean" && !entry->is_regular_file(ignored))
      why = is_link ? "It is a link that leads to no file." : "It is not a file.";
    if (is_folder && !is_link && ::access(path.c_str(), R_OK | X_OK) != 0) {
      why = "The folder cannot be read.";
      entry.disable_recursion_pending();
    }
    if (!why.empty())
      found.push_back(
          {(named / path.lexically_relative(folder)).lexically_normal().string(), std::move(why)});
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) { return a.path < b.path; });
  return found;
}

}  // namespace

wire::Fields FilesParams::fields() {
  return {wire::field<&FilesParams::file_path>("Or a folder"),
          wire::field<&FilesParams::files>("Several, instead")};
}

asio::awaitable<Result<NamedFiles>> named_files(Lean& lean, FilesParams params, io::CancelScope scope) {
  if (params.file_path.has_value() == params.files.has_value())
    co_return fail(ErrorKind::InvalidArgument, "Pass either file_path or files.",
                   "file_path is a file or a folder, files a list of files.");
  NamedFiles named;
  std::vector<OrderedFile> files;
  fs::path root;
  if (params.files) {
    if (params.files->empty() || params.files->size() > kMaxFiles)
      co_return fail(ErrorKind::InvalidArgument,
                     "files has " + std::to_string(params.files->size()) + " entries.",
                     "Pass 1 to " + std::to_string(kMaxFiles) + " files.");
    for (const std::string& each : *params.files) {
      CO_TRY(const auto location, lean.workspace.locate(each));
      if (root.empty()) root = location.project->root();
      std::error_code ignored;
      if (!fs::is_regular_file(location.path, ignored))
        co_return fail(ErrorKind::FileNotFound, each + " is not a file.", "Pass paths of .lean files.");
      if (std::ranges::none_of(files, [&](const auto& one) { return one.path == location.path; }))
        files.push_back({0, each, location.path});
    }
  } else {
    CO_TRY(const auto location, lean.workspace.locate(*params.file_path));
    std::error_code ignored;
    if (!fs::is_directory(location.path, ignored)) {
      named.paths = {*params.file_path};
      co_return named;
    }
    root = location.project->root();
    struct Below {
      std::vector<std::string> files;
      std::vector<NamedFiles::LeftOut> left_out;
    };
    const auto list = [folder = location.path, named_so = *params.file_path]() -> Result<Below> {
      return Below{lean::lean_files_below(folder, kMaxFiles + 1), left_out_below(folder, named_so)};
    };
    CO_TRY(auto found, co_await lean.pool.run(list, scope));
    std::vector<std::string>& below = found.files;
    named.left_out = std::move(found.left_out);
    if (below.empty() && named.left_out.empty())
      co_return fail(ErrorKind::InvalidArgument, *params.file_path + " has no .lean file.",
                     "Pass a file, or a folder with Lean files.");
    named.truncated = below.size() > kMaxFiles;
    if (named.truncated) below.resize(kMaxFiles);
    for (const std::string& each : below) {
      files.push_back(
          {0, (fs::path(*params.file_path) / each).lexically_normal().string(), location.path / each});
    }
  }
  named.several = true;
  const auto sort = [root, files = std::move(files)]() -> Result<std::vector<std::string>> {
    return in_order(root, files);
  };
  CO_TRY(named.paths, co_await lean.pool.run(sort, scope));
  co_return named;
}

}  // namespace leanbridge::ide
