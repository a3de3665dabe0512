#pragma once
/// The changes that an edit of a file has made to its statements, from the compiled file before and after it.
/// Not a verdict about a proof: it trusts both compilations.

#include "core/base/error.hpp"
#include "module_set.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace leanbridge::olean {

struct TypeChange {
  enum class Kind {
    Lost,     ///< its name is gone
    Changed,  ///< it has another type, or, for a definition that was not edited, another value
    Demoted,  ///< a theorem has become something else
    Assumed,  ///< a new axiom
  };
  Kind kind = Kind::Lost;
  std::string name;           ///< as users write it
  std::string before, after;  ///< types as leanbridge prints them; Demoted: the kinds of constant
  std::string how;            ///< Changed: the first difference, as a clause
};

/// The edited declarations, which may differ because the caller wants that.
struct EditedLines {
  std::function<bool(std::uint32_t line)> before, after;  ///< whether the declaration on that line was edited
  std::map<std::string, std::string> renamed;             ///< old to new keys of constants
};

/// Compares the types of theorems and axioms in all cases, and the types and values of other constants unless
/// they were edited. Constants mentioned in a type are compared by name, generated ones by content. Internal:
/// damaged. Blocks: use it on a pool thread.
Result<std::vector<TypeChange>> type_changes(olean::ModuleSet& before, olean::ModuleSet& after,
                                             const EditedLines& edited);

}  // namespace leanbridge::olean
