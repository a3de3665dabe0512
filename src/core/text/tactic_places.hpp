#pragma once
/// Where tactics begin in a Lean file, from the text alone, since Lean has no request for it. These are
/// candidates: only Lean knows the goals there, and whether a tactic runs there at all.

#include <cstddef>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct TacticPlace {
  enum class Kind {
    Definite,   ///< a tactic begins here if Lean has goals here
    Tentative,  ///< a tactic may begin here (an alternative that may not run, unknown syntax), or a tactic
                ///< begins here that starts with the same goals as the previous place (`try simp`)
    End,        ///< just after the last token of an outermost tactic block
  };

  std::size_t offset = 0;  ///< in bytes
  Kind kind = Kind::Definite;
  /// Where to ask Lean for the goals: at `offset`, with one exception. If another line follows an End before
  /// the next token, this is the first column of that line: there Lean shows the goals left of the whole
  /// proof, but at the last token only those of the innermost block.
  std::size_t asked_at = 0;
  std::size_t proof = 0;  ///< the same for all places of one declaration

  friend bool operator==(const TacticPlace&, const TacticPlace&) = default;
};

/// All places, in order, no two at the same offset. Accepts any text, in linear time. Follows Lean's layout
/// rule: the items of a block begin on new lines in the column of its first item, counted in code points;
/// brackets suspend the blocks around them.
std::vector<TacticPlace> tactic_places(std::string_view source);

}  // namespace leanbridge::text
