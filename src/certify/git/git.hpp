#pragma once
/// Files of a git revision. Runs git without a shell, and so that neither the repository's configuration nor
/// its replacement objects can change the result. From the commit down to the file, the content of each
/// object must have the hash that is its name (Pro Git, 10.2 "Git Objects"): git does not check that when it
/// prints an object, so anybody who can write .git/objects could put other content under a name. Private to
/// this part.

#include "certify/untrusted/run.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::certify {

enum class GitObjectType { Commit, Tree, Blob };

/// The word for the type on git's command line.
const char* to_string(GitObjectType type);

/// The name of an object with this content, in lower-case hexadecimal digits: a SHA-1, or if `digits` is 64,
/// as in repositories of the object format sha256, a SHA-256.
std::string name_of_git_object(GitObjectType type, std::string_view content, std::size_t digits);

/// The name of the root folder of a commit with this content; nullopt if the content is no commit.
std::optional<std::string> tree_of_git_commit(std::string_view content);

struct GitTreeEntry {
  enum class Kind { File, Folder, Other };  ///< Other: it is a link or a submodule

  Kind kind = Kind::Other;
  std::string object;
};

struct NamedGitEntry {
  std::string name;
  GitTreeEntry entry;
};

/// The entries of a folder with this content, in which names of objects have `digits` digits; up to the first
/// damaged entry.
std::vector<NamedGitEntry> entries_of_git_tree(std::string_view content, std::size_t digits);

/// The entry `name` of a folder with this content, in which names of objects have `digits` digits; nullopt if
/// there is none.
std::optional<GitTreeEntry> entry_of_git_tree(std::string_view content, std::string_view name,
                                              std::size_t digits);

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

  /// The content of the file in the revision; nullopt if it does not exist. `path` is absolute and below
  /// top(). Errors: InvalidArgument (outside the repository, too large, a link, a damaged or missing object),
  /// Timeout, Cancelled.
  asio::awaitable<Result<std::optional<std::string>>> read(std::filesystem::path path, io::CancelScope scope);
  /// Whether the path names a file for read(), or something else. Errors as for read().
  asio::awaitable<Result<bool>> has(std::filesystem::path path, io::CancelScope scope);
  /// The files below a folder, at most `most`, including entries that are neither files nor folders. Errors
  /// as for read().
  asio::awaitable<Result<std::vector<GitFile>>> files_below(std::filesystem::path folder, std::size_t most,
                                                            io::CancelScope scope);
  using Contents = std::vector<Result<std::string>>;
  /// The contents of the first of these objects, in their order: as many as git prints at once, at least one.
  /// Keep the objects alive. By one run of git, since starting it takes longer than reading an object. Each
  /// content has been compared with its name; InvalidArgument: it is not that content, missing, damaged, or
  /// larger than 64 MiB. Errors: Timeout, Cancelled.
  asio::awaitable<Result<Contents>> first_contents(GitObjectType type, std::span<const std::string> objects,
                                                   io::CancelScope scope) const;
  /// The files, by their names from the top, that git's index has, but not the working tree by its own wish:
  /// of a sparse checkout. Errors: Timeout, Cancelled.
  asio::awaitable<Result<std::set<std::string>>> left_out_of_working_tree(io::CancelScope scope) const;

 private:
  GitRevision() = default;
  io::ChildCommand command(std::vector<std::string> arguments) const;
  /// The hash of the object that `expression` names; an error mentions `revision`.
  asio::awaitable<Result<std::string>> object_named(std::string expression, std::string revision,
                                                    io::CancelScope scope) const;
  /// Refuses digits that may not be a commit's: `base`, the revision without suffixes, contains `hash`, in
  /// lower case. Git prefers a ref of that name to the commit, so anybody who can create a ref would choose
  /// the challenge.
  asio::awaitable<Result<void>> check_hash(std::string base, std::string hash, std::string revision,
                                           io::CancelScope scope) const;
  /// Refuses a repository in a folder of another one, unless that folder is a submodule or ignored. A `.git`
  /// is not part of a commit, so anybody who can create one in a folder would choose which path of the commit
  /// a file has. InvalidArgument: the folder is in `revision` or HEAD of the outer repository, or in the
  /// commit itself.
  asio::awaitable<Result<void>> require_apart(std::filesystem::path outer, std::string revision,
                                              io::CancelScope scope);
  /// "" if git fails. Errors: Timeout, Cancelled.
  asio::awaitable<Result<std::string>> first_line_of(std::vector<std::string> arguments,
                                                     io::CancelScope scope) const;
  asio::awaitable<Result<std::string>> content_of(GitObjectType type, std::string object,
                                                  io::CancelScope scope) const;
  /// The path relative to the top; InvalidArgument: it is outside of it.
  Result<std::filesystem::path> name_of(const std::filesystem::path& path) const;
  /// Reads the folders among these that have not been read yet.
  asio::awaitable<Result<void>> read_folders(std::vector<std::string> objects, io::CancelScope scope);
  /// The entry at `path`, relative to the top; nullopt if there is none.
  asio::awaitable<Result<std::optional<GitTreeEntry>>> entry_at(std::filesystem::path path,
                                                                io::CancelScope scope);

  io::Spawn spawn_;
  std::string git_;
  std::filesystem::path top_;
  std::string commit_;
  std::string root_;                            ///< the commit's folder
  std::map<std::string, std::string> folders_;  ///< contents of the folders that have been read, by object
};

}  // namespace leanbridge::certify
