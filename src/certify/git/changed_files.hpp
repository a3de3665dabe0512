#pragma once
/// The Lean files and settings of a project that differ between a revision of git and the working tree, or
/// between two revisions. Runs git as for a verdict: without a shell, hooks, filters and replacement objects,
/// and the content of each object must have the hash that is its name. Writes no files.

#include "core/io/child_process.hpp"
#include "core/io/pool.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

struct ChangedFile {
  std::filesystem::path name;                ///< relative to the root of the project
  std::optional<std::string> before, after;  ///< nullopt: it does not exist
  std::string unread;                        ///< why a side could not be read, as a clause; "": both were
                                             ///< read
};

struct ChangedFiles {
  std::string before;                ///< a commit
  std::optional<std::string> after;  ///< a commit; nullopt: the working tree
  std::vector<ChangedFile> files;    ///< sorted by name
};

struct ChangeQuestion {
  std::filesystem::path root;  ///< the project's root, in a repository
  std::string before;          ///< a revision
  std::optional<std::string> after;
  io::Spawn spawn = io::ChildProcess::spawn;
  std::function<void(const std::string&)> on_step = [](const std::string&) {};
};

/// Whether a file of a project counts: a .lean file, lakefile.toml, lean-toolchain or lake-manifest.json.
/// `name` is relative to the root.
bool is_looked_at(const std::filesystem::path& name);
/// Whether the file decides how the project is built, such as lakefile.lean.
bool is_setting(const std::filesystem::path& name);

/// The changed files, including files that git does not track, but not below .git and .lake. A file that can
/// be read on one side only is `unread` if its name is taken on the other side: behind a link, in a submodule
/// or another repository, or not checked out. Folders of sources that are not looked at are `unread`, too.
/// Errors: InvalidArgument (no repository, no such revision, fewer than 16 digits of a hash), NotSupported
/// (no git, too many files), Timeout, Cancelled. On the loop's thread.
asio::awaitable<Result<ChangedFiles>> changed_files(ChangeQuestion question, io::Pool& pool,
                                                    io::CancelScope scope);

}  // namespace leanbridge::certify
