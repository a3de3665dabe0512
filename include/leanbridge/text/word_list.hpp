#pragma once
/// Lookup in the word lists that stand in for Lean's syntax.

#include <algorithm>
#include <string_view>

namespace leanbridge::text {

template <class Words>
bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace leanbridge::text
