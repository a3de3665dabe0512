#pragma once
/// The words that stand for a missing proof.

#include <optional>
#include <string_view>

namespace leanbridge::text {

/// The axiom on which a declaration with such a word depends.
inline constexpr std::string_view kSorryAxiom = "sorryAx";

/// Whether the word is `sorry`, `admit`, or the axiom under any of its names.
bool is_missing_proof(std::string_view word);

/// The byte offset of the first such word; comments and strings do not count.
std::optional<std::size_t> find_missing_proof(std::string_view source);

}  // namespace leanbridge::text
