#pragma once
/// What an edit of a file has done to what it states, from the compiled file before and after it. No verdict
/// about a proof: both compilations are believed.

#include "core/base/error.hpp"
#include "module_set.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace leanbridge::olean {

struct TypeChange {
  enum class Kind {
    Lost,     ///< no constant has this name any more
    Changed,  ///< another type, or for a definition that was not edited another value
    Demoted,  ///< a theorem that is none any more
    Assumed,  ///< a new axiom
  };
  Kind kind = Kind::Lost;
  std::string name;           ///< as users write it
  std::string before, after;  ///< types as leanbridge prints them; Demoted: the kinds
  std::string how;            ///< Changed: the first difference, as a clause about it
};

/// What was edited, and so may differ: the caller has asked for it.
struct EditedLines {
  std::function<bool(std::uint32_t line)> before, after;  ///< whether a declaration that begins there was
  std::map<std::string, std::string> renamed;             ///< keys of constants
};

/// Of theorems and axioms the types count always; of other constants, which the edit does not touch, types
/// and values. Other constants in a type count by their names, what Lean has made up by what it is. Internal:
/// damaged. Blocks: use it on a pool thread.
Result<std::vector<TypeChange>> type_changes(olean::ModuleSet& before, olean::ModuleSet& after,
                                             const EditedLines& edited);

}  // namespace leanbridge::olean
