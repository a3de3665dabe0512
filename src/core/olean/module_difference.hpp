#pragma once
/// Whether a file declares the same after it is compiled in another way, such as with other imports. Not a
/// verdict about a proof: it trusts both compilations.

#include "core/base/error.hpp"
#include "module_set.hpp"

#include <optional>
#include <string>

namespace leanbridge::olean {

/// The first difference between the declarations of two compiled modules, as a clause: "`foo` would rest on
/// other axioms". nullopt: they have the same names of the same kinds, with the same types, the same values
/// (except for theorems), down to the modules that both import, and the same axioms. Generated names are
/// compared by content where others mention them. Internal: damaged. Blocks: use it on a pool thread.
Result<std::optional<std::string>> module_difference(olean::ModuleSet& before, olean::ModuleSet& after);

}  // namespace leanbridge::olean
