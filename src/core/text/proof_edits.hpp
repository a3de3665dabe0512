#pragma once
/// Edits that surely change no statement, from the text alone. Only Lean knows what a statement is and where
/// it ends: where the words leave any doubt, it must be asked (ide/statement_changes.hpp).

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace leanbridge::text {

/// Whether Lean reads these words as this scanner does: no number with letters behind it, no interpolated
/// string, no quoted name.
bool are_words_sure(std::string_view source);

/// A declaration of the new text that differs. An edit is only what it seems if Lean takes exactly these
/// bytes for one declaration.
struct EditedProof {
  std::size_t begin = 0, end = 0;  ///< bytes, from its first token to behind its last one
  /// It has no word that begins another command of Lean or Mathlib: Lean's outline has no declaration that a
  /// library's own command (`lemma`) makes.
  bool has_no_command_word = false;

  friend bool operator==(const EditedProof&, const EditedProof&) = default;
};

/// The theorems of which an edit changes nothing but what follows `:=`, declarations added below all others,
/// and lemmas added above some whose names nothing mentions yet. nullopt: the edit changes something else, or
/// the words do not tell.
std::optional<std::vector<EditedProof>> edited_proofs(std::string_view before, std::string_view after);

}  // namespace leanbridge::text
