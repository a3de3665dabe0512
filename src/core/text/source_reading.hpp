#pragma once
/// The declarations of a Lean source, and the commands that can change the meaning of its words, from the
/// text alone. Leaves out white space and comments. Private to this module.

#include "lean_declarations.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

/// Byte offsets refer to the source.
struct StatedDeclaration {
  std::string name;       ///< with its namespaces; "" for an example or an unnamed instance
  std::string keyword;    ///< as written
  std::string marks;      ///< the words of its attributes and modifiers, separated by blanks
  std::string statement;  ///< its words, separated by blanks
  std::string shown;      ///< the statement as written, on one line
  std::string body;       ///< the words of its proof or value, separated by blanks
  std::size_t start = 0, keyword_offset = 0, end = 0;
  bool is_private = false;

  bool is_theorem() const { return is_theorem_keyword(keyword); }
};

/// All declarations, in order. Of a structure or an inductive type, everything is the statement. A body ends
/// at a word in the first column that seems to begin a command, even an unknown one.
std::vector<StatedDeclaration> stated_in(std::string_view source);

/// A command that may change the meaning of the words below it.
struct ReadingCommand {
  std::string text;  ///< its words, separated by blanks
  std::size_t start = 0;

  friend bool operator==(const ReadingCommand& a, const ReadingCommand& b) { return a.text == b.text; }
};

/// Finds such commands wherever their first word is. A command ends at the next one, or at a word in the
/// first column.
std::vector<ReadingCommand> reading_commands(std::string_view source);

/// At most `limit` bytes of it, with a mark where it is cut.
std::string shortened(const std::string& statement, std::size_t limit);

}  // namespace leanbridge::text
