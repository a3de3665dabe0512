#pragma once
/// The Lean files and settings of a project that differ between a revision of git and the working tree, or
/// between two revisions. git is run as for a verdict: without a shell, hooks, filters and replacement
/// objects, and each object must have the content that its name is the hash of. Nothing is written.

#include "core/io/child_process.hpp"
#include "core/io/pool.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

struct ChangedFile {
  std::filesystem::path name;                ///< from the root of the project
  std::optional<std::string> before, after;  ///< nullopt: it is not there
  std::string unread;                        ///< why a side could not be read, as a clause; "": it was
};

struct ChangedFiles {
  std::string before;                ///< the commit
  std::optional<std::string> after;  ///< the commit; nullopt: the working tree
  std::vector<ChangedFile> files;    ///< by name
};

struct ChangeQuestion {
  std::filesystem::path root;  ///< of the project, in a repository
  std::string before;          ///< revisions
  std::optional<std::string> after;
  io::Spawn spawn = io::ChildProcess::spawn;
  std::function<void(const std::string&)> on_step = [](const std::string&) {};
};

/// Whether a file of a project is looked at: a .lean file, lakefile.toml, lean-toolchain or
/// lake-manifest.json. `name` is relative to the root.
bool is_looked_at(const std::filesystem::path& name);
/// Whether it is one that says how the project is built, such as lakefile.lean.
bool is_setting(const std::filesystem::path& name);

/// Also files that git does not track, but not below .git and .lake. What is a file on one side and not read
/// as one on the other, though something has its name, is `unread`: behind a link, in a submodule or another
/// repository, not checked out; and so are folders of sources that are not looked at. Errors:
/// InvalidArgument (no repository, no such revision, fewer than 16 digits of a hash), NotSupported (no git,
/// too many files), Timeout, Cancelled. On the loop's thread.
asio::awaitable<Result<ChangedFiles>> changed_files(ChangeQuestion question, io::Pool& pool,
                                                    io::CancelScope scope);

}  // namespace leanbridge::certify
