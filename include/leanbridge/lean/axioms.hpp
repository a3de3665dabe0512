#pragma once
/// How far the axioms that a proof rests on can be trusted. Pure functions.

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

/// propext, Classical.choice or Quot.sound: what ordinary mathematics in Lean rests on.
bool is_standard_axiom(std::string_view axiom);

/// The worst in the list: `incomplete` (sorryAx: no proof), `custom` (stated by somebody), `native` (the
/// compiler is trusted, by native_decide), else `standard`.
std::string_view trust_of(const std::vector<std::string>& axioms);

}  // namespace leanbridge::lean
