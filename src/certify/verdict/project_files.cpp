#include "project_files.hpp"

#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/lean/imports.hpp"
#include "core/lean/source_folders.hpp"

#include <algorithm>
#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxLeanFiles = 100'000;  // number of files below a package with a lakefile.lean

bool is_kept_apart(const fs::path& folder) {
  return folder.filename() == ".git" || folder.filename() == ".lake";
}

tl::unexpected<Error> too_many_files(const fs::path& package) {
  return fail(ErrorKind::NotSupported, package.string() + " has more than 100,000 Lean files.",
              "Describe the package by a lakefile.toml, which says where its sources are.");
}

// Whether `path` ends with all components of `end`.
bool ends_with(const fs::path& path, const fs::path& end) {
  auto at = path.end(), part = end.end();
  while (part != end.begin()) {
    if (at == path.begin()) return false;
    if (*--at != *--part) return false;
  }
  return true;
}

void add_once(fs::path path, std::vector<fs::path>& paths) {
  if (std::ranges::find(paths, path) == paths.end()) paths.push_back(std::move(path));
}

}  // namespace

asio::awaitable<Result<ProjectFiles>> ProjectFiles::of_revision(GitRevision revision, fs::path file,
                                                                io::Pool& pool, io::CancelScope scope) {
  const fs::path top = revision.top();
  ProjectFiles files(top, pool);
  files.git_ = std::move(revision);
  for (fs::path folder = file.parent_path(); lean::is_within(folder, top); folder = folder.parent_path()) {
    for (const char* const name : {"lakefile.toml", "lakefile.lean", "lean-toolchain"}) {
      CO_TRY(const bool is_root, co_await files.has(folder / name, scope));
      if (!is_root) continue;
      files.root_ = folder;
      co_return files;
    }
  }
  co_return files;
}

Result<ProjectFiles> ProjectFiles::of_revision_at(GitRevision revision, fs::path root, io::Pool& pool) {
  if (!lean::is_within(root, revision.top()))
    return fail(
        ErrorKind::InvalidArgument,
        "The project " + root.string() + " is outside of the repository " + revision.top().string() + ".",
        "Pass a --project-root in the repository.");
  ProjectFiles files(std::move(root), pool);
  files.git_ = std::move(revision);
  return files;
}

asio::awaitable<Result<void>> ProjectFiles::load(io::CancelScope scope) {
  CO_TRY(const auto manifest, co_await read(root_ / lean::kManifestName, kMaxConfigurationSize, scope));
  if (manifest) {
    if (const auto unclear = lean::why_unclear(*manifest))
      co_return fail(
          ErrorKind::InvalidArgument, (root_ / lean::kManifestName).string() + " " + *unclear + ".",
          "Restore it from version control. Only if it is lost, `lake update` writes a new one, with the "
          "newest revisions of all packages.");
  }
  CO_TRY(const auto overrides, co_await read(root_ / lean::kOverridesName, kMaxConfigurationSize, scope));
  if (overrides)
    co_return fail(
        ErrorKind::InvalidArgument,
        (root_ / lean::kOverridesName).string() + " puts packages in place of those of the manifest.",
        "Remove it, or judge where it is not.");
  packages_ = lean::packages_in(root_, manifest.value_or(""));
  CO_CHECK(co_await find_package_sources(scope));
  std::vector<fs::path> own = lean::path_dependencies_in(root_, packages_);
  own.insert(own.begin(), root_);
  for (const fs::path& package : own) {
    if (git_ && !lean::is_within(package, git_->top()))
      co_return fail(
          ErrorKind::InvalidArgument,
          "The project requires the package " + package.string() +
              " by path, which is outside of the repository: the revision does not say what is in it.",
          "Require it by git, or keep it in the repository.");
    lean::Lakefiles lakefiles;
    CO_TRY(lakefiles.lean, co_await read(package / "lakefile.lean", kMaxConfigurationSize, scope));
    CO_TRY(lakefiles.toml, co_await read(package / "lakefile.toml", kMaxConfigurationSize, scope));
    CO_TRY(lean::SourceFolders found, lean::source_folders(package, lakefiles));
    for (fs::path& folder : found.folders) add_once(std::move(folder), folders_);
    if (found.is_complete) continue;
    CO_TRY(std::vector<fs::path> files, co_await lean_files_below(package, scope));
    files_.insert(files_.end(), std::make_move_iterator(files.begin()), std::make_move_iterator(files.end()));
  }
  co_return Result<void>();
}

asio::awaitable<Result<void>> ProjectFiles::find_package_sources(io::CancelScope scope) {
  struct PackageSources {
    std::vector<fs::path> folders;
    std::vector<PackageRoots> roots;
    std::string unknown;
  };
  const auto look = [packages = packages_]() -> Result<PackageSources> {
    PackageSources found;
    for (const lean::Package& package : packages) {
      if (!package.is_fetched) continue;
      std::error_code ignored;
      if (!fs::is_directory(package.folder, ignored)) {
        found.unknown = package.name + " is not there";
        continue;
      }
      const lean::Lakefiles lakefiles = lean::Lakefiles::in(package.folder);
      if (!lakefiles.lean && !lakefiles.toml) found.unknown = package.name + " has no lakefile";
      TRY(lean::SourceFolders of, lean::source_folders(package.folder, lakefiles));
      for (fs::path& folder : of.folders) add_once(std::move(folder), found.folders);
      found.roots.push_back({package.name, std::move(of.roots)});
    }
    return found;
  };
  CO_TRY(PackageSources found, co_await pool_->run(look, scope));
  package_folders_ = std::move(found.folders);
  package_roots_ = std::move(found.roots);
  unknown_package_ = std::move(found.unknown);
  co_return Result<void>();
}

asio::awaitable<Result<std::optional<fs::path>>> ProjectFiles::rival_of(fs::path relative,
                                                                        io::CancelScope scope) {
  if (!unknown_package_.empty())
    co_return fail(ErrorKind::InvalidArgument,
                   "The package " + unknown_package_ + ", and may have the module " + relative.string() + ".",
                   "Fetch and build the project's packages first, with `lake build`.");
  const auto owner = std::ranges::find_if(
      package_roots_, [&](const PackageRoots& package) { return package.have(relative); });
  relative += ".lean";
  const auto look = [folders = package_folders_, relative]() -> Result<std::optional<fs::path>> {
    for (const fs::path& folder : folders) {
      std::error_code ignored;
      if (fs::is_regular_file(folder / relative, ignored)) return folder / relative;
    }
    return std::nullopt;
  };
  CO_TRY(auto rival, co_await pool_->run(look, scope));
  if (!rival && owner != package_roots_.end())
    co_return fail(ErrorKind::InvalidArgument,
                   relative.string() + " of the project has a name that belongs to the package " +
                       owner->package + " by its lakefile, and the package's file is not there.",
                   "Fetch and build the package again, or give the project's module another name.");
  co_return rival;
}

asio::awaitable<Result<std::optional<std::string>>> ProjectFiles::read(fs::path file, std::size_t max_size,
                                                                       io::CancelScope scope) {
  if (git_) co_return co_await git_->read(std::move(file), scope);
  const auto load = [file = std::move(file), max_size]() -> Result<std::optional<std::string>> {
    std::error_code error;
    if (fs::symlink_status(file, error).type() == fs::file_type::not_found) return std::nullopt;
    auto text = read_regular_file(file, max_size);
    if (!text)
      return fail(ErrorKind::InvalidArgument, file.string() + " cannot be read, or is too large.",
                  "Make it a regular file, or remove it.");
    return std::optional(std::move(*text));
  };
  co_return co_await pool_->run(load, scope);
}

asio::awaitable<Result<bool>> ProjectFiles::has(fs::path file, io::CancelScope scope) {
  if (git_) co_return co_await git_->has(std::move(file), scope);
  const auto look = [file = std::move(file)]() -> Result<bool> {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored);
  };
  co_return co_await pool_->run(look, scope);
}

asio::awaitable<Result<std::vector<fs::path>>> ProjectFiles::lean_files_below(fs::path package,
                                                                              io::CancelScope scope) {
  std::vector<fs::path> found;
  if (git_) {
    CO_TRY(const std::vector<GitFile> files, co_await git_->files_below(package, kMaxLeanFiles, scope));
    if (files.size() == kMaxLeanFiles) co_return too_many_files(package);
    for (const GitFile& file : files)
      if (file.path.extension() == ".lean") found.push_back(file.path);
    co_return found;
  }
  const auto look = [package]() -> Result<std::vector<fs::path>> {
    std::vector<fs::path> files;
    std::error_code error;
    constexpr auto kOptions = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator entry(package, kOptions, error), end; !error && entry != end;
         entry.increment(error)) {
      std::error_code ignored;
      if (entry->is_directory(ignored) && is_kept_apart(entry->path())) entry.disable_recursion_pending();
      if (entry->path().extension() == ".lean" && entry->is_regular_file(ignored))
        files.push_back(entry->path().lexically_normal());
      if (files.size() == kMaxLeanFiles) return too_many_files(package);
    }
    return files;
  };
  co_return co_await pool_->run(look, scope);
}

asio::awaitable<Result<std::vector<fs::path>>> ProjectFiles::sources_of(fs::path relative,
                                                                        io::CancelScope scope) {
  relative += ".lean";
  std::vector<fs::path> sources;
  for (const fs::path& folder : folders_) {
    const fs::path file = (folder / relative).lexically_normal();
    if (git_ && !lean::is_within(file, git_->top())) continue;
    CO_TRY(const bool is_there, co_await has(file, scope));
    if (is_there) add_once(file, sources);
  }
  for (const fs::path& file : files_)
    if (ends_with(file, relative)) add_once(file, sources);
  co_return sources;
}

}  // namespace leanbridge::certify
