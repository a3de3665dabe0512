#pragma once
/// Imports that Lean's server would first compile, for hours.

#include "core/base/error.hpp"
#include "imports.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::lean {

/// LeanUnavailable if opening a file would compile much of a fetched package, such as a Mathlib whose cache
/// has not been fetched: it says how many modules, and which command fetches or compiles them. A few modules
/// are compiled without a word, as are those of the project and of packages that are required by path.
/// `imports`: the file's; `sources`: the files of the project that these lead to (ImportWatch::state_of).
/// Blocking.
Result<void> check_imports_are_built(const std::filesystem::path& root,
                                     const std::vector<std::string>& imports, const ImportState& sources);

}  // namespace leanbridge::lean
