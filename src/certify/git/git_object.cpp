#include "git_object.hpp"

#include "core/base/ascii.hpp"
#include "core/base/sha256.hpp"
#include <boost/beast/core/detail/sha1.hpp>

#include <array>

namespace leanbridge::certify {

namespace {

constexpr std::size_t kSha256Digits = 64;

// Beast has SHA-1 for WebSocket's handshake; no other library that the program links anyway has it.
std::string sha1_of(std::string_view header, std::string_view content) {
  namespace beast = boost::beast::detail;
  beast::sha1_context context{};
  beast::init(context);
  beast::update(context, header.data(), header.size());
  beast::update(context, content.data(), content.size());
  std::array<char, beast::sha1_context::digest_size> digest{};
  beast::finish(context, digest.data());
  return hexadecimal(digest);
}

GitTreeEntry::Kind kind_of(std::string_view mode) {
  if (mode == "40000") return GitTreeEntry::Kind::Folder;
  return mode.starts_with("100") ? GitTreeEntry::Kind::File : GitTreeEntry::Kind::Other;
}

}  // namespace

const char* to_string(GitObjectType type) {
  switch (type) {
    case GitObjectType::Commit:
      return "commit";
    case GitObjectType::Tree:
      return "tree";
    case GitObjectType::Blob:
      return "blob";
  }
  return "?";
}

std::string name_of_git_object(GitObjectType type, std::string_view content, std::size_t digits) {
  std::string header = to_string(type) + (" " + std::to_string(content.size()));
  header += '\0';
  return digits == kSha256Digits ? sha256_of(header.append(content)) : sha1_of(header, content);
}

std::optional<std::string> tree_of_git_commit(std::string_view content) {
  constexpr std::string_view kKey = "tree ";
  const std::size_t end = content.find('\n');
  if (!content.starts_with(kKey) || end == content.npos) return std::nullopt;
  return std::string(content.substr(kKey.size(), end - kKey.size()));
}

std::vector<NamedGitEntry> entries_of_git_tree(std::string_view content, std::size_t digits) {
  // Each entry consists of the mode, a space, the name, a zero byte and the object's name in binary.
  const std::size_t bytes = digits / 2;
  std::vector<NamedGitEntry> entries;
  while (!content.empty()) {
    const std::size_t space = content.find(' ');
    const std::size_t zero = space == content.npos ? content.npos : content.find('\0', space);
    if (zero == content.npos || content.size() - zero - 1 < bytes) break;
    entries.push_back({std::string(content.substr(space + 1, zero - space - 1)),
                       {kind_of(content.substr(0, space)), hexadecimal(content.substr(zero + 1, bytes))}});
    content.remove_prefix(zero + 1 + bytes);
  }
  return entries;
}

std::optional<GitTreeEntry> entry_of_git_tree(std::string_view content, std::string_view name,
                                              std::size_t digits) {
  for (NamedGitEntry& each : entries_of_git_tree(content, digits))
    if (each.name == name) return std::move(each.entry);
  return std::nullopt;
}

}  // namespace leanbridge::certify
