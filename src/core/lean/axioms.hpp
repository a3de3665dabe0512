#pragma once
/// How far to trust a proof, judged by its axioms. Pure functions.

#include "core/base/enum_names.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

/// propext, Classical.choice or Quot.sound, on which ordinary mathematics in Lean rests.
bool is_standard_axiom(std::string_view axiom);

enum class AxiomTrust {
  Standard,
  Custom,      ///< rests on an axiom that somebody stated
  Native,      ///< trusts the compiler, by native_decide
  Incomplete,  ///< sorryAx: not a proof
};

/// "standard", "native", "custom", "incomplete", as in the tool contract.
wire::Names<AxiomTrust> names_of(AxiomTrust);

/// The worst grade among the axioms, in the order of lean-lsp-mcp (its verify.py): who needs all of them
/// reads the list.
AxiomTrust trust_of(const std::vector<std::string>& axioms);

}  // namespace leanbridge::lean
