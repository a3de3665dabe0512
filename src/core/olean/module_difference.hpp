#pragma once
/// Whether a file declares the same when it is compiled in another way, such as with other imports. No
/// verdict about a proof: both compilations are believed.

#include "core/base/error.hpp"
#include "module_set.hpp"

#include <optional>
#include <string>

namespace leanbridge::olean {

/// The first difference found between what two compiled modules declare, as a clause: "`foo` would rest on
/// other axioms". nullopt: the same names, of the same kinds, with the same types and, but for theorems, the
/// same values, down to the modules that both import, and the same axioms. Names that Lean makes up are
/// followed where others mention them. Internal: damaged. Blocks: use it on a pool thread.
Result<std::optional<std::string>> module_difference(olean::ModuleSet& before, olean::ModuleSet& after);

}  // namespace leanbridge::olean
