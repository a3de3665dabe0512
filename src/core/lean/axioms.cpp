#include "axioms.hpp"

#include "core/text/lean_names.hpp"
#include "core/text/missing_proofs.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::lean {

namespace {

// The first occurrence of `what` outside « and ».
std::size_t find_unquoted(std::string_view text, std::string_view what, std::size_t from = 0) {
  for (std::size_t at = from; at < text.size(); ++at) {
    at = text::end_of_quoted(text, at);
    if (text.substr(at).starts_with(what)) return at;
  }
  return std::string_view::npos;
}

bool is_native(std::string_view axiom) {
  constexpr auto kNative =
      std::to_array<std::string_view>({"Lean.ofReduceBool", "Lean.ofReduceNat", "Lean.trustCompiler"});
  // Later versions of Lean make an axiom for each use: `f._native.native_decide.ax_1`.
  return std::ranges::find(kNative, axiom) != kNative.end() ||
         find_unquoted(axiom, "._native.") != std::string_view::npos;
}

}  // namespace

const std::vector<std::string>& standard_axioms() {
  static const std::vector<std::string> axioms = {"propext", "Quot.sound", "Classical.choice"};
  return axioms;
}

bool is_standard_axiom(std::string_view axiom) {
  const auto& standard = standard_axioms();
  return std::ranges::find(standard, axiom) != standard.end();
}

std::string meaning_of_axiom(std::string_view axiom) {
  if (axiom == text::kSorryAxiom) return "`sorry`: something is not proved";
  if (axiom == "Lean.trustCompiler") return "it trusts Lean's compiler instead of the kernel";
  if (is_native(axiom)) return "native_decide: it trusts a compiled program instead of the kernel";
  if (axiom.starts_with("lc") || axiom == "unsafeCast")
    return "it belongs to the compiler and proves anything";
  return {};
}

wire::Names<AxiomTrust> names_of(AxiomTrust) {
  return {{AxiomTrust::Standard, "standard"},
          {AxiomTrust::Custom, "custom"},
          {AxiomTrust::Native, "native"},
          {AxiomTrust::Incomplete, "incomplete"}};
}

AxiomTrust trust_of(const std::vector<std::string>& axioms) {
  bool native = false, custom = false;
  for (const std::string& axiom : axioms) {
    if (axiom == text::kSorryAxiom) return AxiomTrust::Incomplete;
    if (is_standard_axiom(axiom)) continue;
    (is_native(axiom) ? native : custom) = true;
  }
  return native ? AxiomTrust::Native : custom ? AxiomTrust::Custom : AxiomTrust::Standard;
}

}  // namespace leanbridge::lean
