#pragma once
/// The words that stand for a proof that is not there.

#include <optional>
#include <string_view>

namespace leanbridge::text {

/// The axiom that each of them leaves.
inline constexpr std::string_view kSorryAxiom = "sorryAx";

/// `sorry`, `admit`, or the axiom itself under any of its names.
bool is_missing_proof(std::string_view word);

/// The byte offset of the first such word; comments and strings do not count.
std::optional<std::size_t> find_missing_proof(std::string_view source);

}  // namespace leanbridge::text
