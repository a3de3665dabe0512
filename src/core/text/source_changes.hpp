#pragma once
/// What a change does to the declarations of Lean sources, from their texts alone: a reading, not Lean's
/// word. White space and comments change nothing. Syntax that the files themselves introduce is not known;
/// what changes of it is among the commands, to be looked at by a person. Pure functions, callable from any
/// thread; they accept any text, in time nearly linear in its size.

#include "core/base/json_struct.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

/// A declaration as its source has it. Words are separated by blanks.
struct ReadDeclaration {
  std::string file;
  std::string name;       ///< with its namespaces; without a name, what it states: "example : 1 = 1"
  std::string kind;       ///< its keyword, "theorem" for a lemma
  std::string marks;      ///< attributes and modifiers
  std::string statement;  ///< between name and body; of a type, all of it
  std::string shown;      ///< the statement as it is written, on one line
  std::string body;       ///< the proof or value
  int line = 1;           ///< 1-based, of the keyword
  std::size_t sorries = 0;
  bool is_named = true;
  bool is_private = false;
};

/// A command that declares nothing with a name, or words in a declaration that make a proof mean less.
struct ReadCommand {
  std::string text;
  int line = 1;  ///< 1-based
};

struct SourceReading {
  std::string file;
  std::vector<ReadDeclaration> declarations;  ///< in order
  std::vector<ReadCommand> commands;
  std::size_t other_sorries = 0;  ///< outside of declarations, as in a macro
  std::size_t other_axioms = 0;   ///< the keyword, where no declaration begins with it
  /// Why the words may be others to Lean (find_doubt), with the line from which on; "": they are not.
  std::string doubt;
};

SourceReading read_declarations(std::string file, std::string text);

enum class Change {
  Added,
  Removed,
  Restated,    ///< another statement, or another kind
  Revalued,    ///< the same statement of another value
  Reproved,    ///< the same statement with another proof
  Attributed,  ///< only attributes or modifiers
  Renamed,     ///< nothing else
  Moved,       ///< to another file, and nothing else
};
wire::Names<Change> names_of(Change);

struct DeclarationChange {
  Change change = Change::Added;
  std::string name;
  std::string kind;
  std::string file;                             ///< of the new one, unless it is removed
  int line = 1;                                 ///< 1-based, there
  std::optional<std::string> renamed_from;      ///< whatever `change` says
  std::optional<std::string> moved_from;        ///< the file; whatever `change` says
  std::optional<std::string> statement_before;  ///< where it is restated or removed
  std::optional<std::string> statement_after;   ///< where it is restated or added
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

/// The unproved that was not there before.
struct NewGap {
  std::string file;
  int line = 1;
  std::string name;       ///< of the declaration; "": outside of declarations
  std::size_t count = 1;  ///< how many more

  static wire::Fields fields();
};

struct SourceChanges {
  std::vector<DeclarationChange> declarations;  ///< by file and line
  std::vector<CommandChange> commands;          ///< by file and line; declared axioms are among them
  std::size_t sorries_before = 0, sorries_after = 0;
  std::size_t axioms_before = 0, axioms_after = 0;
  std::vector<NewGap> new_sorries;
  std::vector<NewGap> new_axioms;  ///< also those that state something else now
};

/// What `after` has made of `before`: both are readings of the files that differ.
SourceChanges source_changes(const std::vector<SourceReading>& before,
                             const std::vector<SourceReading>& after);

}  // namespace leanbridge::text
