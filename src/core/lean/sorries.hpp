#pragma once
/// The places of missing proofs in a text, from Lean's messages and from its words. Pure.

#include "core/text/text.hpp"
#include "messages.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

/// Lean's warning that a declaration uses `sorry`.
bool reports_sorry(const Diagnostic& diagnostic);
/// Whether a message that is known to be a warning is that one.
bool is_sorry_warning(std::string_view message);

/// The byte offsets of the words `sorry`, `admit` and `sorryAx`, outside of comments and literals.
std::vector<std::size_t> sorry_words(std::string_view source);

struct SorryPlace {
  std::size_t offset = 0;  ///< of the word, or of Lean's warning if the declaration has no such word
  bool is_word = false;

  friend bool operator==(const SorryPlace&, const SorryPlace&) = default;
};

/// The sorries of `text`, in order. Lean reports one warning per declaration, at its name, and none if the
/// declaration has an error. So a word counts if Lean warns of its declaration or if the declaration has an
/// error. A declaration that Lean warns of but that has no such word (a macro wrote it) counts once. In other
/// declarations the word is unused (`first | rfl | sorry`), or Lean has not reached it.
std::vector<SorryPlace> find_sorries(const text::Text& text, const std::vector<Diagnostic>& diagnostics);

}  // namespace leanbridge::lean
