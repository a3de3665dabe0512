#pragma once
/// The effect of a change on the declarations of Lean sources, from their texts alone: a reading, not Lean's
/// verdict. White space and comments change nothing. Syntax that the files themselves introduce is unknown;
/// changes in it are listed among the commands, for a person to look at. Pure functions, callable from any
/// thread; they accept any text, in time nearly linear in its size.

#include "core/base/json_struct.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::text {

/// A declaration as its source has it. Its words are separated by blanks.
struct ReadDeclaration {
  std::string file;
  std::string name;       ///< with its namespaces; without a name, the text of its statement: "example : 1 =
                          ///< 1"
  std::string kind;       ///< its keyword, "theorem" for a lemma
  std::string marks;      ///< attributes and modifiers
  std::string statement;  ///< the words between name and body; of a type, all of them
  std::string shown;      ///< the statement as it is written, on one line
  std::string body;       ///< the proof or value
  int line = 1;           ///< 1-based, of the keyword
  std::size_t sorries = 0;
  bool is_named = true;
  bool is_private = false;
};

/// A command that declares nothing with a name, or words in a declaration that weaken a proof.
struct ReadCommand {
  std::string text;
  int line = 1;  ///< 1-based
};

struct SourceReading {
  std::string file;
  std::vector<ReadDeclaration> declarations;  ///< in order
  std::vector<ReadCommand> commands;
  std::size_t other_sorries = 0;  ///< sorries outside of declarations, as in a macro
  std::size_t other_axioms = 0;   ///< the keyword in places where no declaration begins with it
  /// Why Lean may read other words (find_doubt), with the first line concerned; "": it reads these.
  std::string doubt;
};

SourceReading read_declarations(std::string file, std::string text);

enum class Change {
  Added,
  Removed,
  Restated,    ///< it has another statement, or is of another kind
  Revalued,    ///< it has the same statement and another value
  Reproved,    ///< it has the same statement and another proof
  Attributed,  ///< only attributes or modifiers changed
  Renamed,     ///< only the name changed
  Moved,       ///< only the file changed
};
wire::Names<Change> names_of(Change);

struct DeclarationChange {
  Change change = Change::Added;
  std::string name;
  std::string kind;
  std::string file;                             ///< of the new declaration, or of the old one if it is
                                                ///< removed
  int line = 1;                                 ///< 1-based, in that file
  std::optional<std::string> renamed_from;      ///< set for every kind of change
  std::optional<std::string> moved_from;        ///< the file; set for every kind of change
  std::optional<std::string> statement_before;  ///< set if it is restated or removed
  std::optional<std::string> statement_after;   ///< set if it is restated or added
  std::size_t sorries_before = 0, sorries_after = 0;

  static wire::Fields fields();
};

/// A command that only one side has.
struct CommandChange {
  std::string file;
  int line = 1;
  bool added = true;
  std::string text;

  static wire::Fields fields();
};

/// A new unproved place: a sorry or an axiom.
struct NewGap {
  std::string file;
  int line = 1;
  std::string name;       ///< the declaration's; "": outside of declarations
  std::size_t count = 1;  ///< how many were added

  static wire::Fields fields();
};

struct SourceChanges {
  std::vector<DeclarationChange> declarations;  ///< by file and line
  std::vector<CommandChange> commands;          ///< by file and line, including declared axioms
  std::size_t sorries_before = 0, sorries_after = 0;
  std::size_t axioms_before = 0, axioms_after = 0;
  std::vector<NewGap> new_sorries;
  std::vector<NewGap> new_axioms;  ///< including those that now have another statement
};

/// The changes from `before` to `after`, which are readings of the files that differ.
SourceChanges source_changes(const std::vector<SourceReading>& before,
                             const std::vector<SourceReading>& after);

}  // namespace leanbridge::text
