#pragma once
/// The trust in a proof, judged by its axioms. Pure functions.

#include "core/base/enum_names.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

/// The axioms propext, Quot.sound and Classical.choice, on which ordinary mathematics in Lean rests.
const std::vector<std::string>& standard_axioms();
bool is_standard_axiom(std::string_view axiom);

/// The known reason for an axiom that a proof should never rest on, as a clause; "": none is known.
std::string meaning_of_axiom(std::string_view axiom);

enum class AxiomTrust {
  Standard,
  Custom,      ///< rests on an axiom that somebody stated
  Native,      ///< trusts the compiler, by native_decide
  Incomplete,  ///< sorryAx: not a proof
};

/// "standard", "native", "custom", "incomplete", as in the tool contract.
wire::Names<AxiomTrust> names_of(AxiomTrust);

/// The worst grade among the axioms, in the order of lean-lsp-mcp (its verify.py).
AxiomTrust trust_of(const std::vector<std::string>& axioms);

}  // namespace leanbridge::lean
