#pragma once
/// What an edit does to the statements of a file, from the text alone: an agent may prove a theorem, but not
/// lose it or prove another one in its place.

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct StatementChange {
  enum class Kind {
    Lost,     ///< no declaration has this name any more
    Renamed,  ///< a theorem; a new one has its statement
    Changed,  ///< a theorem or axiom with another statement
    Demoted,  ///< a theorem that is no longer one: an axiom proves nothing
    Hidden,   ///< a theorem that becomes private: other files do not find it under its name
    Assumed,  ///< a new axiom
    Unclear,  ///< from a place in the new text on, Lean may read other words (find_doubt)
  };
  Kind kind = Kind::Lost;
  std::string name;    ///< with its namespaces
  std::string before;  ///< Changed: its statement, on one line; otherwise its keyword
  std::string after;   ///< Renamed: the new name; Changed: the new statement; Demoted: the new keyword;
                       ///< Unclear: why

  friend bool operator==(const StatementChange&, const StatementChange&) = default;
};

/// The named declarations of `before` that `after` lacks, its theorems whose words state something else
/// there, and new axioms, in order. White space and comments do not count, and neither do bodies of
/// definitions. Not seen: what the same words mean (ide/statement_changes.hpp).
std::vector<StatementChange> statement_changes(std::string_view before, std::string_view after);

/// "delete theorem A.b", "rename theorem A.b to A.c", "change the statement of A.b from … to …", "make an
/// axiom of theorem A.b", "assume the axiom A.b".
std::string describe(const StatementChange& change);

}  // namespace leanbridge::text
