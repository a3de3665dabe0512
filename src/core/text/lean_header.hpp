#pragma once
/// The header of a Lean file, before its first command: `module`, `prelude` and the imports, as
/// Lean.Parser.Module.header reads them (src/Lean/Parser/Module/Syntax.lean).

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct HeaderImport {
  std::string module;  ///< as written, including « and »
  bool is_public = false;
  bool is_meta = false;
  bool is_all = false;    ///< `import all`
  std::size_t begin = 0;  ///< byte offsets of the whole import, including the words before its name
  std::size_t end = 0;
};

/// A header without comments and white space: to Lean, two texts with equal words have the same header.
struct LeanHeader {
  std::vector<std::string> words;  ///< `module`, `public`, `import`, names, ... as written
  bool is_module = false;
  bool has_prelude = false;
  std::vector<HeaderImport> imports;  ///< in order
  std::size_t end = 0;                ///< byte offset just after its last complete part

  std::vector<std::string> imported_modules() const;
};

/// Accepts any text, in linear time. Lean rejects an `import` without a name; this only puts it among the
/// words and continues with the next `import`. Lean's keywords are unknown here: one that begins the first
/// command counts as a name if it follows such an `import`.
LeanHeader parse_lean_header(std::string_view source);

/// Whether a comment begins in or directly behind the header and never ends. Lean does not read a header
/// then.
bool has_endless_comment(std::string_view source);

/// The place behind the header where a command can be inserted so that everything else keeps its line and
/// column: the header's end, if its last line continues at most with a comment. nullopt: there is no such
/// place.
std::optional<std::size_t> place_behind_header(std::string_view source);

/// The lines of an import, including other text on them and the line ending.
std::string_view lines_of_import(std::string_view source, const HeaderImport& import);

/// The source without one import. Removes its whole line, with a comment behind it, unless there is other
/// text on the line.
std::string without_import(std::string_view source, const HeaderImport& import);

}  // namespace leanbridge::text
