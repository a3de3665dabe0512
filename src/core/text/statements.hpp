#pragma once
/// The effect of an edit on the statements of a file, from the text alone: an agent may prove a theorem, but
/// must not lose it or prove another one in its place.

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct StatementChange {
  enum class Kind {
    Lost,     ///< its name is gone
    Renamed,  ///< a theorem; a new theorem has its statement
    Changed,  ///< a theorem or axiom with another statement
    Demoted,  ///< a theorem that is no longer one: an axiom is not proved
    Hidden,   ///< a theorem that becomes private: other files no longer find its name
    Assumed,  ///< a new axiom
    Unclear,  ///< from some place in the new text on, Lean may read other words (find_doubt)
  };
  Kind kind = Kind::Lost;
  std::string name;    ///< with its namespaces
  std::string before;  ///< Changed: its old statement, on one line; otherwise its keyword
  std::string after;   ///< Renamed: the new name; Changed: the new statement; Demoted: the new keyword;
                       ///< Unclear: why

  friend bool operator==(const StatementChange&, const StatementChange&) = default;
};

/// The named declarations of `before` that `after` lacks, its theorems whose words state something else
/// there, and new axioms, in order. Ignores white space, comments and bodies of definitions. Cannot see that
/// the same words have a new meaning (ide/statement_changes.hpp).
std::vector<StatementChange> statement_changes(std::string_view before, std::string_view after);

/// "delete theorem A.b", "rename theorem A.b to A.c", "change the statement of A.b from … to …", "make an
/// axiom of theorem A.b", "assume the axiom A.b".
std::string describe(const StatementChange& change);

}  // namespace leanbridge::text
