#pragma once
/// The axioms that a proof may rest on, and those that no proof should. Callable from any thread.

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::certify {

/// propext, Quot.sound and Classical.choice.
const std::vector<std::string>& standard_axioms();

/// What is known to be behind an axiom that no proof should rest on, as a clause; "": nothing.
std::string meaning_of_axiom(std::string_view axiom);

}  // namespace leanbridge::certify
