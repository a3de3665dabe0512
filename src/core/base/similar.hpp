#pragma once
/// Suggests known words for an unknown one. Pure functions; compares letters as bytes and ignores the case of
/// ASCII letters.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge {

/// The number of letters to insert, remove, replace or swap with their neighbour. More than `limit` is
/// reported as limit + 1.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// The words of `known` that resemble `word`, at most `count`, nearest first. About one letter in four may
/// differ, and a missing part (`goal` for `lean_goal`) does not count.
std::vector<std::string> closest_words(std::string_view word, const std::vector<std::string>& known,
                                       std::size_t count);

/// The dotted names of `known` that `name` may stand for, at most `count`, likeliest first: the namespace is
/// missing or wrong (`zero_le`), letters differ (`Nat.zero_leq`), or words are in another order
/// (`Tree.mirror_toList`). With another separator, it works for paths.
std::vector<std::string> closest_names(std::string_view name, const std::vector<std::string>& known,
                                       std::size_t count, char separator = '.');

/// "a", "a or b", "a, b or c".
std::string either_of(const std::vector<std::string>& words);
/// "Did you mean a or b?", for a hint; empty without words.
std::string did_you_mean(const std::vector<std::string>& words);

}  // namespace leanbridge
