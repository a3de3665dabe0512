#pragma once
/// Reading what `#print axioms` says, and how far its axioms can be trusted. Pure functions.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

/// The names in `'f' depends on axioms: [a, b]`, none for `'f' does not depend on any axioms`; nullopt for
/// any other message. Names may hold blanks, commas and brackets between « and »; Lean wraps long lists.
std::optional<std::vector<std::string>> read_axioms(std::string_view message);

/// propext, Classical.choice or Quot.sound: what ordinary mathematics in Lean rests on.
bool is_standard_axiom(std::string_view axiom);

/// The worst in the list: `incomplete` (sorryAx: no proof), `custom` (stated by somebody), `native` (the
/// compiler is trusted, by native_decide), else `standard`.
std::string_view trust_of(const std::vector<std::string>& axioms);

}  // namespace leanbridge::lean
