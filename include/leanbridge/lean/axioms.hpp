#pragma once
/// How far to trust a proof, judged by its axioms. Pure functions.

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

/// propext, Classical.choice or Quot.sound, on which ordinary mathematics in Lean rests.
bool is_standard_axiom(std::string_view axiom);

/// The worst grade in the list: `incomplete` (sorryAx: not a proof), `custom` (an axiom that somebody
/// stated), `native` (trusts the compiler, by native_decide), otherwise `standard`.
std::string_view trust_of(const std::vector<std::string>& axioms);

}  // namespace leanbridge::lean
