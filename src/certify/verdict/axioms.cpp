#include "axioms.hpp"

namespace leanbridge::certify {

const std::vector<std::string>& standard_axioms() {
  static const std::vector<std::string> axioms = {"propext", "Quot.sound", "Classical.choice"};
  return axioms;
}

std::string meaning_of_axiom(std::string_view axiom) {
  if (axiom == "sorryAx") return "`sorry`: something is not proved";
  if (axiom == "Lean.ofReduceBool" || axiom == "Lean.ofReduceNat")
    return "native_decide: it trusts a compiled program instead of the kernel";
  if (axiom == "Lean.trustCompiler") return "it trusts Lean's compiler instead of the kernel";
  if (axiom.find("._native.") != std::string_view::npos)
    return "native_decide: it trusts a compiled program instead of the kernel";
  if (axiom.starts_with("lc") || axiom == "unsafeCast")
    return "it belongs to the compiler and proves anything";
  return {};
}

}  // namespace leanbridge::certify
