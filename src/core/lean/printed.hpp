#pragma once
/// Reads what Lean's `#print` commands print about a constant (src/Lean/Elab/Print.lean). Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

/// The output of `#print axioms`.
struct PrintedAxioms {
  std::string name;                 ///< in full; a private one without its prefix
  std::vector<std::string> axioms;  ///< in full, sorted; private ones with their prefix

  friend bool operator==(const PrintedAxioms&, const PrintedAxioms&) = default;
};
/// nullopt: another message.
std::optional<PrintedAxioms> read_printed_axioms(std::string_view message);

/// The start of what `#print` prints: `@[simp] private theorem foo : ...`.
struct PrintedKind {
  std::string kind;  ///< theorem, def, axiom, opaque, ...
  bool is_unsafe = false;
  bool is_partial = false;

  friend bool operator==(const PrintedKind&, const PrintedKind&) = default;
};
/// nullopt: another message.
std::optional<PrintedKind> read_printed_kind(std::string_view message);

}  // namespace leanbridge::lean
