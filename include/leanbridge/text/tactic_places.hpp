#pragma once
/// Where tactics begin in a Lean file, from its text alone: Lean has no request for it. A list of candidates:
/// what the goals are there, and whether a tactic runs there at all, is Lean's to say.

#include <cstddef>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct TacticPlace {
  enum class Kind {
    Definite,   ///< if Lean knows goals here, a tactic begins here
    Tentative,  ///< a tactic may begin here (an alternative that is not always run, a syntax we do not know),
                ///< or one that begins with the goals of the place before (`try simp`)
    End,        ///< just after the last token of an outermost tactic block
  };

  std::size_t offset = 0;  ///< in bytes
  Kind kind = Kind::Definite;
  /// Where to ask Lean for the goals: `offset`, but for an End whose block is followed by an empty line, that
  /// line. In its first column Lean shows what is left of the whole proof, and at the last token only what is
  /// left of the innermost block.
  std::size_t asked_at = 0;
  std::size_t proof = 0;  ///< equal for the places of one declaration

  friend bool operator==(const TacticPlace&, const TacticPlace&) = default;
};

/// All places, in order, no two at the same offset. Total, linear time.
/// Follows Lean's rule of layout: the items of a block begin on new lines in the column of its first item,
/// columns counted in code points; brackets suspend the blocks around them.
std::vector<TacticPlace> tactic_places(std::string_view source);

}  // namespace leanbridge::text
