#pragma once
/// Recognises, from the text alone, edits that surely change no statement. Only Lean knows what a statement
/// is and where it ends: if the words leave any doubt, ask Lean (ide/statement_changes.hpp).

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace leanbridge::text {

/// Whether Lean reads these words as this scanner does: no number with letters right behind it, no
/// interpolated string, no quoted name.
bool are_words_sure(std::string_view source);

/// A declaration that differs in the new text. The edit is a change of its proof only if Lean reads exactly
/// these bytes as one declaration.
struct EditedProof {
  std::size_t begin = 0, end = 0;  ///< bytes, from its first token to behind its last one
  /// No word in it begins another command of Lean or Mathlib. It matters because Lean's outline lacks
  /// declarations that a library's own command (`lemma`) makes.
  bool has_no_command_word = false;

  friend bool operator==(const EditedProof&, const EditedProof&) = default;
};

/// The changed declarations, if an edit changes only this: text behind `:=` in theorems, declarations added
/// below all others, and lemmas added above others whose text does not mention their names. nullopt: the edit
/// changes something else, or the words do not tell.
std::optional<std::vector<EditedProof>> edited_proofs(std::string_view before, std::string_view after);

}  // namespace leanbridge::text
