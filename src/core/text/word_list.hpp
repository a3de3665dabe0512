#pragma once
/// Lookup in the word lists that stand in for Lean's syntax.

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace leanbridge::text {

/// Whether `word` is one of `words`, none of which is empty. Comparing sizes and first letters first keeps
/// the lists cheap: scans look up each token of a file.
template <class Words>
bool contains(const Words& words, std::string_view word) {
  return !word.empty() && std::any_of(words.begin(), words.end(), [word](std::string_view each) {
    return each.size() == word.size() && each.front() == word.front() && each == word;
  });
}

/// The same for a list in one text, in which a space is before and after each word.
inline bool contains(std::string_view words, std::string_view word) {
  for (std::size_t at = words.find(word); !word.empty() && at != words.npos; at = words.find(word, at + 1))
    if (words.substr(at + word.size(), 1) == " " && words[at - 1] == ' ') return true;
  return false;
}

}  // namespace leanbridge::text
