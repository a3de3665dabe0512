#pragma once
/// The part of a proof that a line or a position belongs to, from the text alone: where to look for messages
/// about it, and which lines a tactic in its place would replace.

#include "proof_layout.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace leanbridge::text {

/// Byte offsets. The tactics of a line or, for a position, the tactic that the position is behind.
struct ProofPart {
  std::size_t declaration_start = 0;
  std::size_t declaration_end = 0;  ///< just after its last token
  std::size_t from = 0;             ///< where the line begins (in the declaration), or the tactic
  std::size_t begin = 0;            ///< where the first of the tactics begins
  std::size_t end = 0;              ///< just after them, or before the blocks inside the last of them
  std::size_t limit = 0;            ///< what begins here or below is no longer about them
  std::size_t item_end = 0;         ///< just after the last of the tactics, with the blocks inside it
  /// The position is where a tactic begins, and not behind it: then `from`, `begin`, `end` and `limit` are
  /// the position.
  bool before_tactic = false;
  bool last = false;            ///< no tactic of the declaration follows
  bool is_proposition = false;  ///< of a theorem, lemma or example: Lean announces when it is proved

  friend bool operator==(const ProofPart&, const ProofPart&) = default;
};

/// The tactics in [from, to), which is one line without its end; if it has none, the one that the line
/// continues. Pass a position twice. nullopt before the first tactic of a declaration, and outside of any.
/// `layout` is that of the source.
std::optional<ProofPart> proof_part(std::string_view source, ProofLayout& layout, std::size_t from,
                                    std::size_t to);
/// The same for a source that is looked at once.
std::optional<ProofPart> proof_part(std::string_view source, std::size_t from, std::size_t to);

/// How far a tactic reaches, by Lean's layout rule. Byte offsets just after the last token.
struct TacticExtent {
  std::size_t item = 0;   ///< the tactic with the blocks inside it
  std::size_t block = 0;  ///< the tactics below it in its block, too
  std::size_t proof = 0;  ///< everything to the end of the outermost block

  friend bool operator==(const TacticExtent&, const TacticExtent&) = default;
};

/// The extent of the tactic that begins, or would be put, at `offset` of the source. `column` is that of the
/// tactic, counted from 0 in code points; it can be right of the offset on a blank line.
TacticExtent tactic_extent(std::string_view source, ProofLayout& layout, std::size_t offset,
                           std::size_t column);
TacticExtent tactic_extent(std::string_view source, std::size_t offset, std::size_t column);

}  // namespace leanbridge::text
