#pragma once
/// Imports that Lean's server would compile first, which can take hours.

#include "core/base/error.hpp"
#include "imports.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::lean {

/// LeanUnavailable if opening a file would compile much of a fetched package, such as a Mathlib whose cache
/// has not been fetched. The error gives the number of modules and the command that fetches or compiles them.
/// No error for a few modules, nor for those of the project and of packages that are required by path.
/// `imports`: the file's; `sources`: the project's files that the imports lead to (ImportWatch::state_of).
/// Blocking.
Result<void> check_imports_are_built(const std::filesystem::path& root,
                                     const std::vector<std::string>& imports, const ImportState& sources);

}  // namespace leanbridge::lean
