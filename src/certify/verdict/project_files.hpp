#pragma once
/// The files of the project in question, from a git revision or from the working tree. Private to this
/// module.

#include "certify/git/git.hpp"
#include "core/base/error.hpp"
#include "core/io/pool.hpp"
#include "core/lean/project.hpp"
#include "foundations.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// If there is a revision, reads nothing of the working tree but compiled packages. Belongs to the loop's
/// thread.
class ProjectFiles {
 public:
  /// `root`: the project's, a real path.
  ProjectFiles(std::filesystem::path root, io::Pool& pool) : root_(std::move(root)), pool_(&pool) {}
  /// The files of the revision. The root is the nearest folder around `file` that has a lakefile or a
  /// lean-toolchain there, otherwise the top of the repository. Errors: those of GitRevision::read().
  static asio::awaitable<Result<ProjectFiles>> of_revision(GitRevision revision, std::filesystem::path file,
                                                           io::Pool& pool, io::CancelScope scope);
  /// The files of the revision, with this root. InvalidArgument: it is outside of the repository.
  static Result<ProjectFiles> of_revision_at(GitRevision revision, std::filesystem::path root,
                                             io::Pool& pool);

  /// Reads the manifest and the lakefiles of the project and of the packages that it requires by path. Call
  /// it before the functions below. Errors: InvalidArgument (a lakefile.toml that is not TOML, packages that
  /// the manifest does not tell; with a revision, a package outside of the repository), those of read().
  asio::awaitable<Result<void>> load(io::CancelScope scope);

  const std::filesystem::path& root() const { return root_; }
  bool is_revision() const { return git_.has_value(); }
  /// The packages in the order of the manifest.
  const std::vector<lean::Package>& packages() const { return packages_; }

  /// A file by its absolute path; nullopt if it does not exist. Errors: InvalidArgument (it cannot be read,
  /// or is too large), those of GitRevision::read().
  asio::awaitable<Result<std::optional<std::string>>> read(std::filesystem::path file, std::size_t max_size,
                                                           io::CancelScope scope);

  /// The files that can be the source of a module, according to the lakefiles. Does not ask Lake: a
  /// lakefile.lean is a program, so any file of its package whose path ends with the module's path can be the
  /// source. `relative`: the module's path, without `.lean`.
  asio::awaitable<Result<std::vector<std::filesystem::path>>> sources_of(std::filesystem::path relative,
                                                                         io::CancelScope scope);

  /// The source in a fetched package that a build would use for this module of the project; nullopt: none.
  /// The package need not be built. InvalidArgument: a package has not been fetched, so the answer is
  /// unknown; or the module's name belongs to a package by its lakefile, although the file does not exist.
  asio::awaitable<Result<std::optional<std::filesystem::path>>> rival_of(std::filesystem::path relative,
                                                                         io::CancelScope scope);

 private:
  asio::awaitable<Result<void>> find_package_sources(io::CancelScope scope);
  asio::awaitable<Result<bool>> has(std::filesystem::path file, io::CancelScope scope);
  /// The Lean files below a package, except in the folders of Lake and git.
  asio::awaitable<Result<std::vector<std::filesystem::path>>> lean_files_below(std::filesystem::path package,
                                                                               io::CancelScope scope);

  std::filesystem::path root_;
  io::Pool* pool_;
  std::optional<GitRevision> git_;
  std::vector<lean::Package> packages_;
  std::vector<std::filesystem::path> folders_;          ///< of sources
  std::vector<std::filesystem::path> files_;            ///< files of packages whose lakefiles are programs
  std::vector<std::filesystem::path> package_folders_;  ///< folders of sources of fetched packages
  std::vector<PackageRoots> package_roots_;             ///< of fetched packages
  std::string unknown_package_;  ///< a package in the manifest, and why its modules are unknown
};

}  // namespace leanbridge::certify
