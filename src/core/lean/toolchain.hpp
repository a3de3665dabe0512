#pragma once
/// What is known about versions of Lean.

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

/// Defects of a version, "4.32.0" or "4.34.0-rc1", by which it may accept what is not true: each with the
/// version that fixes it and the source. Empty for a version that is not known to have any; a sentence that
/// says so for a text that is no version.
std::vector<std::string> known_defects(std::string_view version);

/// Defects of a kernel by its name, by which it may accept what is not true. `version`: of the toolchain that
/// it comes with; "" if it comes with none.
std::vector<std::string> defects_of_kernel(std::string_view name, std::string_view version);

/// Whether `#print axioms` lists all axioms of what is imported. Lean 4.30 and later leave some out
/// (lean4#15226, open). False for a text that is no version.
bool lists_all_axioms(std::string_view version);

/// Whether releases of the version have bin/leanchecker (lean4#11887). True for a text that is no version:
/// what is built from source now has it.
bool ships_leanchecker(std::string_view version);

}  // namespace leanbridge::lean
