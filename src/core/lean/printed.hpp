#pragma once
/// Reads the output of Lean's `#print` commands about a constant (src/Lean/Elab/Print.lean). Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

/// The output of `#print axioms`.
struct PrintedAxioms {
  std::string name;                 ///< the full name; of a private constant, without the prefix
  std::vector<std::string> axioms;  ///< full names, sorted; of private axioms, with the prefix

  friend bool operator==(const PrintedAxioms&, const PrintedAxioms&) = default;
};
/// nullopt: it is another message.
std::optional<PrintedAxioms> read_printed_axioms(std::string_view message);

/// The start of `#print`'s output: `@[simp] private theorem foo : ...`.
struct PrintedKind {
  std::string kind;  ///< theorem, def, axiom, opaque, ...
  bool is_unsafe = false;
  bool is_partial = false;

  friend bool operator==(const PrintedKind&, const PrintedKind&) = default;
};
/// nullopt: it is another message.
std::optional<PrintedKind> read_printed_kind(std::string_view message);

}  // namespace leanbridge::lean
