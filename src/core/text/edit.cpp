#include "edit.hpp"

#include "lines.hpp"
#include "utf8.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <unordered_map>

namespace leanbridge::text {
namespace {

constexpr std::size_t kBlock = 4096;  // bytes; compares blocks by memcmp, then bytes

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

/// Whether an edit may begin or end here: not inside a code point, nor between `\r` and `\n`.
bool is_boundary(std::string_view text, std::size_t offset) {
  if (offset == text.size()) return true;
  if (is_continuation_byte(text[offset])) return offset == 0;
  return offset == 0 || text[offset] != '\n' || text[offset - 1] != '\r';
}

using Lines = std::vector<std::string_view>;

/// The index of a line of the old text, and of the same line of the new one.
using SameLine = std::pair<std::size_t, std::size_t>;

/// The lines that occur exactly once in each list, in the order of the old one.
std::vector<SameLine> unique_lines(const Lines& before, const Lines& after) {
  struct Occurrences {
    int in_before = 0, in_after = 0;
    std::size_t index_after = 0;
  };
  std::unordered_map<std::string_view, Occurrences> found;
  for (const std::string_view line : before) ++found[line].in_before;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (const auto of = found.find(after[i]); of != found.end())
      ++of->second.in_after, of->second.index_after = i;
  std::vector<SameLine> unique;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (const Occurrences& of = found[before[i]]; of.in_before == 1 && of.in_after == 1)
      unique.emplace_back(i, of.index_after);
  return unique;
}

/// The longest part of the list that is also in the order of the new text: the other lines have moved.
std::vector<SameLine> longest_in_order(const std::vector<SameLine>& lines) {
  std::vector<std::size_t> ends;  // for each length, the sequence that ends with the earliest line
  std::vector<std::optional<std::size_t>> previous(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto at = std::ranges::lower_bound(
        ends, lines[i].second, [&](std::size_t end, std::size_t line) { return lines[end].second < line; });
    if (at != ends.begin()) previous[i] = *(at - 1);
    if (at == ends.end())
      ends.push_back(i);
    else
      *at = i;
  }
  std::vector<SameLine> chosen;
  if (!ends.empty())
    for (std::optional<std::size_t> i = ends.back(); i; i = previous[*i]) chosen.push_back(lines[*i]);
  std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

std::vector<EditShape> split_by_lines(const TextEdit& edit, std::string_view before) {
  const std::string_view edited = before.substr(edit.byte_start, edit.byte_end - edit.byte_start);
  const bool within_line =
      edited.find('\n') == edited.npos && edit.replacement.find('\n') == std::string::npos;
  if (within_line) return {edit};  // no line can be kept
  // Only whole lines can be compared.
  const std::size_t newline_before =
      edit.byte_start == 0 ? before.npos : before.rfind('\n', edit.byte_start - 1);
  const std::size_t start = newline_before == before.npos ? 0 : newline_before + 1;
  const std::size_t end = std::min(before.find('\n', edit.byte_end), before.size() - 1) + 1;
  const std::string_view removed = before.substr(start, end - start);
  const std::string added =
      apply_edit({edit.byte_start - start, edit.byte_end - start, edit.replacement}, removed);
  const Lines old_lines = lines_with_endings(removed), new_lines = lines_with_endings(added);

  std::vector<EditShape> edits;
  std::size_t old_line = 0, new_line = 0, old_byte = 0, new_byte = 0;
  const auto add_edit_up_to = [&](SameLine same) {
    const std::size_t old_start = old_byte, new_start = new_byte;
    for (; old_line < same.first; ++old_line) old_byte += old_lines[old_line].size();
    for (; new_line < same.second; ++new_line) new_byte += new_lines[new_line].size();
    auto smallest = smallest_edit(removed.substr(old_start, old_byte - old_start),
                                  std::string_view(added).substr(new_start, new_byte - new_start));
    if (!smallest) return;
    smallest->byte_start += start + old_start;
    smallest->byte_end += start + old_start;
    edits.emplace_back(*smallest);
    const std::size_t at = smallest->byte_start;
    const bool begins_line = at == 0 || before[at - 1] == '\n';
    edits.back().inserts_lines =
        smallest->byte_end == at && begins_line && smallest->replacement.ends_with('\n');
  };
  for (const SameLine& same : longest_in_order(unique_lines(old_lines, new_lines))) add_edit_up_to(same);
  add_edit_up_to({old_lines.size(), new_lines.size()});
  return edits;
}

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
  if (offset < edit.byte_start || (offset == edit.byte_start && !edit.inserts_lines)) return offset;
  if (offset < edit.byte_end) return edit.byte_start;
  return offset - edit.byte_end + edit.byte_start + edit.new_size;
}

}  // namespace leanbridge::text
