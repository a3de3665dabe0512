#pragma once
/// The part of a proof around a line or a position, from the text alone: where to look for messages about it,
/// and which lines a tactic in its place would replace.

#include "proof_layout.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace leanbridge::text {

/// The tactics of a line or, for a position, the tactic before it. Byte offsets.
struct ProofPart {
  std::size_t declaration_start = 0;
  std::size_t declaration_end = 0;  ///< just after its last token
  std::size_t from = 0;             ///< where the line (in the declaration) or the tactic begins
  std::size_t begin = 0;            ///< where the first tactic begins
  std::size_t end = 0;              ///< just after the tactics, or before the blocks inside the last one
  std::size_t limit = 0;            ///< messages that begin here or below are not about these tactics
  std::size_t item_end = 0;         ///< just after the last tactic, including the blocks inside it
  /// The position is at the beginning of a tactic, not behind it: then `from`, `begin`, `end` and `limit` are
  /// the position.
  bool before_tactic = false;
  bool last = false;            ///< no tactic of the declaration follows
  bool is_proposition = false;  ///< it is a theorem, lemma or example: Lean announces when it is proved

  friend bool operator==(const ProofPart&, const ProofPart&) = default;
};

/// The tactics in [from, to), one line without its ending; if the line has none, the tactic that it
/// continues. For a position, `from` and `to` are equal. nullopt before the first tactic of a declaration,
/// and outside of declarations. `layout` is the source's.
std::optional<ProofPart> proof_part(std::string_view source, ProofLayout& layout, std::size_t from,
                                    std::size_t to);
/// Does the same for a source that is read only once.
std::optional<ProofPart> proof_part(std::string_view source, std::size_t from, std::size_t to);

/// The extent of a tactic by Lean's layout rule. Byte offsets just after the last token.
struct TacticExtent {
  std::size_t item = 0;   ///< the tactic with the blocks inside it
  std::size_t block = 0;  ///< the tactic and those below it in its block
  std::size_t proof = 0;  ///< everything up to the end of the outermost block

  friend bool operator==(const TacticExtent&, const TacticExtent&) = default;
};

/// The extent of a tactic at `offset`, or of one that would be put there. `column` is the tactic's column,
/// counted from 0 in code points; on a blank line it may be right of the offset.
TacticExtent tactic_extent(std::string_view source, ProofLayout& layout, std::size_t offset,
                           std::size_t column);
TacticExtent tactic_extent(std::string_view source, std::size_t offset, std::size_t column);

}  // namespace leanbridge::text
