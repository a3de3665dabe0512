#pragma once
/// The files of the project in question: those of a git revision, or of the working tree. Private to this
/// module.

#include "certify/git/git.hpp"
#include "core/base/error.hpp"
#include "core/io/pool.hpp"
#include "core/lean/project.hpp"
#include "sources.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// Nothing of the working tree is read if there is a revision, but for compiled packages. Belongs to the
/// loop's thread.
class ProjectFiles {
 public:
  /// `root`: of the project, a real path.
  ProjectFiles(std::filesystem::path root, io::Pool& pool) : root_(std::move(root)), pool_(&pool) {}
  /// Of the revision. The root is the nearest folder around `file` that has a lakefile or a lean-toolchain
  /// there, else the repository's top. Errors: those of GitRevision::read().
  static asio::awaitable<Result<ProjectFiles>> of_revision(GitRevision revision, std::filesystem::path file,
                                                           io::Pool& pool, io::CancelScope scope);
  /// Of the revision, with this root. InvalidArgument: it is outside of the repository.
  static Result<ProjectFiles> of_revision_at(GitRevision revision, std::filesystem::path root,
                                             io::Pool& pool);

  /// Reads the manifest and the lakefiles of the project and of the packages that it requires by path; call
  /// it before the functions below. Errors: InvalidArgument (a lakefile.toml that is no TOML, packages that
  /// the manifest does not tell; with a revision, a package outside of the repository), those of read().
  asio::awaitable<Result<void>> load(io::CancelScope scope);

  const std::filesystem::path& root() const { return root_; }
  bool is_revision() const { return git_.has_value(); }
  /// As the manifest lists them.
  const std::vector<lean::Package>& packages() const { return packages_; }

  /// A file by its absolute path; nullopt if it is not there. Errors: InvalidArgument (it cannot be read, or
  /// is larger), those of GitRevision::read().
  asio::awaitable<Result<std::optional<std::string>>> read(std::filesystem::path file, std::size_t max_size,
                                                           io::CancelScope scope);

  /// The files that can be the source of a module, by the lakefiles. Lake is not asked: a lakefile.lean is a
  /// program, and any file of such a package with that path at its end can be the source. `relative`: its
  /// path as a module, without `.lean`.
  asio::awaitable<Result<std::vector<std::filesystem::path>>> sources_of(std::filesystem::path relative,
                                                                         io::CancelScope scope);

  /// The source of a fetched package that a build would take for this module of the project; nullopt: none.
  /// Such a package need not be built. InvalidArgument: a package has not been fetched, so nobody knows; the
  /// module's name belongs to a package by its lakefile, though its file is not there.
  asio::awaitable<Result<std::optional<std::filesystem::path>>> rival_of(std::filesystem::path relative,
                                                                         io::CancelScope scope);

 private:
  asio::awaitable<Result<void>> find_package_sources(io::CancelScope scope);
  asio::awaitable<Result<bool>> has(std::filesystem::path file, io::CancelScope scope);
  /// The Lean files below a package, but for what Lake and git keep there.
  asio::awaitable<Result<std::vector<std::filesystem::path>>> lean_files_below(std::filesystem::path package,
                                                                               io::CancelScope scope);

  std::filesystem::path root_;
  io::Pool* pool_;
  std::optional<GitRevision> git_;
  std::vector<lean::Package> packages_;
  std::vector<std::filesystem::path> folders_;          ///< of sources
  std::vector<std::filesystem::path> files_;            ///< of packages whose lakefiles are programs
  std::vector<std::filesystem::path> package_folders_;  ///< of the sources of fetched packages
  std::vector<PackageRoots> package_roots_;             ///< of fetched packages
  std::string unknown_package_;  ///< one that the manifest lists, and why its modules are not known
};

}  // namespace leanbridge::certify
