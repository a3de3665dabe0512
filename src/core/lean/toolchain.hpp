#pragma once
/// Facts about versions of Lean.

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

/// Defects by which a version, "4.32.0" or "4.34.0-rc1", may accept false statements: each with the version
/// that fixes it and the source. Empty for a version without known defects. For a text that is no version,
/// one sentence that says so.
std::vector<std::string> known_defects(std::string_view version);
/// The same in one sentence, with the version that has none of them; "" for a version without known defects.
std::string defects_in_brief(std::string_view version);

/// Defects by which a kernel may accept false statements, by the kernel's name. `version`: of the toolchain
/// that contains it; "" if none does.
std::vector<std::string> defects_of_kernel(std::string_view name, std::string_view version);

/// Whether `#print axioms` lists all axioms of imported constants. Lean 4.30 and later leave some out
/// (lean4#15226, open). False for a text that is no version.
bool lists_all_axioms(std::string_view version);

/// Whether releases of the version have bin/leanchecker (lean4#11887). True for a text that is no version:
/// current builds from source have it.
bool ships_leanchecker(std::string_view version);

}  // namespace leanbridge::lean
