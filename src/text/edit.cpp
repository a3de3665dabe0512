#include "leanbridge/text/edit.hpp"

#include "leanbridge/text/utf8.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace leanbridge::text {
namespace {

constexpr std::size_t kBlock = 4096;  // bytes; memcmp blocks first, then bytes

std::size_t common_prefix(std::string_view a, std::string_view b) {
  const std::size_t limit = std::min(a.size(), b.size());
  std::size_t n = 0;
  while (n + kBlock <= limit && std::memcmp(a.data() + n, b.data() + n, kBlock) == 0) n += kBlock;
  while (n < limit && a[n] == b[n]) ++n;
  return n;
}

std::size_t common_suffix(std::string_view a, std::string_view b, std::size_t limit) {
  const char* a_end = a.data() + a.size();
  const char* b_end = b.data() + b.size();
  std::size_t n = 0;
  while (n + kBlock <= limit && std::memcmp(a_end - n - kBlock, b_end - n - kBlock, kBlock) == 0) n += kBlock;
  while (n < limit && *(a_end - n - 1) == *(b_end - n - 1)) ++n;
  return n;
}

/// May an edit begin or end here? Not inside a code point, nor between `\r` and `\n`.
bool is_boundary(std::string_view text, std::size_t offset) {
  if (offset == text.size()) return true;
  if (is_continuation_byte(text[offset])) return offset == 0;
  return offset == 0 || text[offset] != '\n' || text[offset - 1] != '\r';
}

}  // namespace

std::optional<TextEdit> smallest_edit(std::string_view before, std::string_view after) {
  if (before == after) return std::nullopt;
  std::size_t prefix = common_prefix(before, after);
  while (prefix > 0 && !(is_boundary(before, prefix) && is_boundary(after, prefix))) --prefix;
  std::size_t suffix = common_suffix(before, after, std::min(before.size(), after.size()) - prefix);
  while (suffix > 0 &&
         !(is_boundary(before, before.size() - suffix) && is_boundary(after, after.size() - suffix))) {
    --suffix;
  }
  return TextEdit{prefix, before.size() - suffix,
                  std::string(after.substr(prefix, after.size() - suffix - prefix))};
}

std::string apply_edit(const TextEdit& edit, std::string_view before) {
  assert(edit.byte_start <= edit.byte_end && edit.byte_end <= before.size());
  std::string after;
  after.reserve(before.size() - (edit.byte_end - edit.byte_start) + edit.replacement.size());
  after.append(before.substr(0, edit.byte_start))
      .append(edit.replacement)
      .append(before.substr(edit.byte_end));
  return after;
}

std::size_t map_offset(const EditShape& edit, std::size_t offset) {
  if (offset <= edit.byte_start) return offset;
  if (offset < edit.byte_end) return edit.byte_start;
  return offset - edit.byte_end + edit.byte_start + edit.new_size;
}

}  // namespace leanbridge::text
