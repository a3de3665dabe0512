#pragma once
/// Compares the theorems of a compiled challenge with those of a compiled solution, and finds the foundations
/// of the solution's proofs. Only reads files; runs nothing.

#include "core/base/error.hpp"
#include "core/lean/axioms.hpp"
#include "core/olean/module_set.hpp"
#include "verdict.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// Whether it is the module in question, not an import.
bool is_first_module(const olean::SetModule& module);

/// The rules by which a solution is judged.
struct Rules {
  std::vector<std::string>
      names;  ///< as users write them; empty: every theorem of the challenge except generated ones
  std::vector<std::string> allowed_axioms = lean::standard_axioms();
  /// Definitions that the challenge leaves open, as users write them. Absent: each definition whose value is
  /// sorry.
  std::optional<std::vector<std::string>> holes;
  /// Whether the solution may import a module that the challenge does not import, directly or indirectly.
  std::function<bool(const olean::SetModule&)> may_import = [](const olean::SetModule&) { return false; };
  /// Whether a module is the project's own: its declarations never pass for the library's notation.
  std::function<bool(const olean::SetModule&)> is_project = is_first_module;
};

struct Findings {
  /// Why the whole solution is refused, as a sentence.
  std::optional<std::string> refused;
  std::vector<NameVerdict> names;
  /// The constants of the solution to which the verdicts apply: for each name, the theorem or its disproof.
  std::vector<std::string> judged;
  std::vector<std::string> holes;  ///< keys of definitions that the challenge leaves open and the theorems
                                   ///< rest on
};

/// The keys of the theorems in question, in the same order. Errors as for judge().
Result<std::vector<std::string>> asked_keys(olean::ModuleSet& challenge,
                                            const std::vector<std::string>& names);

/// The theorems in question with their statements, in the order of `names` or of the file. Errors: those of
/// judge().
Result<std::vector<NameVerdict>> asked_names(
    olean::ModuleSet& challenge, const std::vector<std::string>& names,
    const std::function<bool(const olean::SetModule&)>& is_project = is_first_module);

/// Judges the solution. Both modules must have the same name. Certified, refuted and filled mean here that
/// there is no objection: no kernel has been asked yet. Errors concern the challenge: InvalidArgument (it
/// lacks a name, a name is not a theorem, or a hole is none that a theorem rests on), Internal (damaged). A
/// damaged solution is refused.
Result<Findings> judge(olean::ModuleSet& challenge, olean::ModuleSet& solution, const Rules& rules);

}  // namespace leanbridge::certify
