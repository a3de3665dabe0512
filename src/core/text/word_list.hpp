#pragma once
/// Look-up in lists of words, which the scanners use in place of Lean's syntax.

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace leanbridge::text {

/// Whether `word` is one of `words`, none of which is empty. Compares sizes and first letters first, since
/// scans look up each token of a file.
template <class Words>
bool contains(const Words& words, std::string_view word) {
  return !word.empty() && std::ranges::any_of(words, [word](std::string_view each) {
    return each.size() == word.size() && each.front() == word.front() && each == word;
  });
}

/// Does the same for a list in one text with a space before and after each word.
inline bool contains(std::string_view words, std::string_view word) {
  for (std::size_t at = words.find(word); !word.empty() && at != words.npos; at = words.find(word, at + 1))
    if (words.substr(at + word.size(), 1) == " " && words[at - 1] == ' ') return true;
  return false;
}

}  // namespace leanbridge::text
