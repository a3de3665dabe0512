#pragma once
/// Reads the messages of `exact?` and `rw?`. Pure.

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

struct Suggestions {
  std::vector<std::string> tactics;  ///< such as `exact Nat.add_comm n m`, each on one line, in order
  std::vector<std::string>
      words;  ///< the words of the tactics: names of constants, hypotheses and fields; each once, in order
};

/// Reads a message: `Try this: exact foo`, or a list below `Try these:`. Empty for other messages. Includes
/// suggestions for a term: only Lean can tell whether a suggestion is a tactic that closes a goal.
Suggestions read_suggestions(std::string_view message);

/// A name and its prefixes, longest first: `Nat.le_iff.mp`, `Nat.le_iff`. The constant is the first one that
/// exists.
std::vector<std::string> possible_constants(std::string_view word);

}  // namespace leanbridge::lean
