#pragma once
/// Lookup in the word lists that stand in for Lean's syntax.

#include <algorithm>
#include <string_view>

namespace leanbridge::text {

/// Whether `word` is one of `words`, none of which is empty. Comparing first letters first keeps the lists
/// cheap: scans look up each token of a file.
template <class Words>
bool contains(const Words& words, std::string_view word) {
  return !word.empty() && std::any_of(words.begin(), words.end(), [word](std::string_view each) {
    return each.front() == word.front() && each == word;
  });
}

}  // namespace leanbridge::text
