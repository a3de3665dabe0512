#pragma once
/// Objects of git, and the names that follow from their content (Pro Git, 10.2 "Git Objects"). git does not
/// check a name against the content when it prints an object, so anybody who can write .git/objects could put
/// other content under a name. Private to this module. Callable from any thread.

#include <cstddef>
#include <optional>
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

}  // namespace leanbridge::certify
