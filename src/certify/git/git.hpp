#pragma once
/// Files of a git revision. git is run without a shell, and so that neither the repository's configuration
/// nor its replacement objects can change what is read. From the commit down to the file, each object has the
/// content that its name is the hash of. Private to this module.

#include "certify/verdict/run.hpp"
#include "git_object.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace leanbridge::certify {

struct GitFile {
  std::filesystem::path path;  ///< absolute
  GitTreeEntry entry;
};

class GitRevision {
 public:
  /// The commit that `revision` names, in the innermost repository around `folder`. Errors: InvalidArgument
  /// (no repository, or one in a folder that belongs to another; no such revision, fewer than 16 digits of a
  /// hash), NotSupported (no git), Timeout, Cancelled.
  static asio::awaitable<Result<GitRevision>> find(io::Spawn spawn, std::filesystem::path folder,
                                                   std::string revision, io::CancelScope scope);

  const std::string& commit() const { return commit_; }
  const std::filesystem::path& top() const { return top_; }

  /// The file as it is in the revision; nullopt if it is not there. `path` is absolute and below top().
  /// Errors: InvalidArgument (outside the repository, too large, a link, a damaged or missing object),
  /// Timeout, Cancelled.
  asio::awaitable<Result<std::optional<std::string>>> read(std::filesystem::path path, io::CancelScope scope);
  /// Whether read() would find a file, or something in its place. The same errors.
  asio::awaitable<Result<bool>> has(std::filesystem::path path, io::CancelScope scope);
  /// The files below a folder, and what is none and no folder, at most `most`. The same errors.
  asio::awaitable<Result<std::vector<GitFile>>> files_below(std::filesystem::path folder, std::size_t most,
                                                            io::CancelScope scope);
  /// The files, by their names from the top, that git's index has, but not the working tree by its own wish:
  /// of a sparse checkout. Errors: Timeout, Cancelled.
  asio::awaitable<Result<std::set<std::string>>> left_out_of_working_tree(io::CancelScope scope) const;

 private:
  GitRevision() = default;
  io::ChildCommand command(std::vector<std::string> arguments) const;
  /// The hash of what `expression` names; an error speaks of `revision`.
  asio::awaitable<Result<std::string>> object_named(std::string expression, std::string revision,
                                                    io::CancelScope scope) const;
  /// Refuses digits that need not mean one commit: `base`, the revision without suffixes, has `hash` in it,
  /// in lower case. Git takes a ref of that name before the commit, so whoever can create one would choose
  /// the challenge.
  asio::awaitable<Result<void>> check_hash(std::string base, std::string hash, std::string revision,
                                           io::CancelScope scope) const;
  /// Refuses a repository in a folder of another one, unless that is a submodule or ignored: a `.git` is no
  /// part of a commit, so whoever can create one in a folder would choose which path of the commit a file
  /// has. InvalidArgument: `revision` or HEAD of the outer one, or the commit itself, has the folder.
  asio::awaitable<Result<void>> require_apart(std::filesystem::path outer, std::string revision,
                                              io::CancelScope scope);
  /// "" if git fails. Errors: Timeout, Cancelled.
  asio::awaitable<Result<std::string>> first_line_of(std::vector<std::string> arguments,
                                                     io::CancelScope scope) const;
  /// The contents of objects, in this order and of at most 64 MiB together, which their names have been
  /// compared with. By one run of git: starting it takes longer than reading a folder.
  asio::awaitable<Result<std::vector<std::string>>> contents_of(GitObjectType type,
                                                                std::vector<std::string> objects,
                                                                io::CancelScope scope) const;
  asio::awaitable<Result<std::string>> content_of(GitObjectType type, std::string object,
                                                  io::CancelScope scope) const;
  /// The path from the top; InvalidArgument: it is outside of it.
  Result<std::filesystem::path> name_of(const std::filesystem::path& path) const;
  /// Reads those folders that have not been read.
  asio::awaitable<Result<void>> read_folders(std::vector<std::string> objects, io::CancelScope scope);
  /// What is at `path`, relative to the top; nullopt if it is not there.
  asio::awaitable<Result<std::optional<GitTreeEntry>>> entry_at(std::filesystem::path path,
                                                                io::CancelScope scope);

  io::Spawn spawn_;
  std::string git_;
  std::filesystem::path top_;
  std::string commit_;
  std::string root_;                            ///< the commit's folder
  std::map<std::string, std::string> folders_;  ///< the content of those that have been read, by their object
};

}  // namespace leanbridge::certify
