#pragma once
/// Objects of git, and the names that their content gives them (Pro Git, 10.2 "Git Objects"). git itself does
/// not compare the two when it prints one, so who can write .git/objects could put another content under a
/// name. Private to this module. Callable from any thread.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::certify {

enum class GitObjectType { Commit, Tree, Blob };

/// As git names it on its command line.
const char* to_string(GitObjectType type);

/// The name of an object with this content, in lower-case hexadecimal digits: a SHA-1, or if `digits` is 64,
/// as in repositories of the object format sha256, a SHA-256.
std::string name_of_git_object(GitObjectType type, std::string_view content, std::size_t digits);

/// The name of the root folder of a commit with this content; nullopt if it is none.
std::optional<std::string> tree_of_git_commit(std::string_view content);

struct GitTreeEntry {
  enum class Kind { File, Folder, Other };  ///< Other: a link or a submodule

  Kind kind = Kind::Other;
  std::string object;
};

struct NamedGitEntry {
  std::string name;
  GitTreeEntry entry;
};

/// What is in a folder with this content, whose objects have names of `digits` digits; up to the first entry
/// that is damaged.
std::vector<NamedGitEntry> entries_of_git_tree(std::string_view content, std::size_t digits);

/// What `name` stands for in a folder with this content, whose objects have names of `digits` digits; nullopt
/// if it has no such entry.
std::optional<GitTreeEntry> entry_of_git_tree(std::string_view content, std::string_view name,
                                              std::size_t digits);

}  // namespace leanbridge::certify
