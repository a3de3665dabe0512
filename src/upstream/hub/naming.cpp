#include "leanbridge/upstream/naming.hpp"

#include <cstdint>
#include <cstdio>

namespace leanbridge::upstream {

namespace {

constexpr std::size_t kHashEnd = 9;  // `_` and 8 digits

bool is_legal(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// One `_` for each run of what is not legal: a name of emoji would be underscores only.
std::string only_legal(std::string_view text) {
  std::string legal;
  bool in_run = false;
  for (const char c : text) {
    if (is_legal(c))
      legal += c;
    else if (!in_run)
      legal += '_';
    in_run = !is_legal(c);
  }
  return legal;
}

std::string cut_with_hash(std::string legal, std::size_t longest, std::string_view original) {
  if (legal.size() > longest - kHashEnd) legal.resize(longest - kHashEnd);
  while (!legal.empty() && legal.back() == '_') legal.pop_back();
  return legal + (legal.empty() ? "" : "_") + stable_hash(original);
}

}  // namespace

std::string stable_hash(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(hash ^ (hash >> 32U)));
  return digits;
}

std::string server_part(std::string_view server) {
  std::string part;
  for (const char c : only_legal(server))
    if (c != '_' || (!part.empty() && part.back() != '_')) part += c;
  while (!part.empty() && part.back() == '_') part.pop_back();
  if (part == server && part.size() <= kLongestServerPart && !part.empty()) return part;
  return cut_with_hash(std::move(part), kLongestServerPart, server);
}

std::string offered_name(std::string_view server, std::string_view item) {
  const std::string prefix = server_part(server) + "__";
  std::string legal = only_legal(item);
  if (legal == item && !item.empty() && prefix.size() + legal.size() <= kLongestName) return prefix + legal;
  return prefix + cut_with_hash(std::move(legal), kLongestName - prefix.size(), item);
}

}  // namespace leanbridge::upstream
