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
  std::size_t begin = 0;  ///< byte offsets of the whole import, with the words before its name
  std::size_t end = 0;
};

/// Without comments and white space: to Lean, two texts with equal words have the same header.
struct LeanHeader {
  std::vector<std::string> words;  ///< `module`, `public`, `import`, names, ... as written
  bool is_module = false;
  bool has_prelude = false;
  std::vector<HeaderImport> imports;  ///< in order
  std::size_t end = 0;                ///< byte offset just after its last complete part

  std::vector<std::string> imported_modules() const;
};

/// Accepts any text, in linear time. Lean rejects an `import` without a name; here it is only among the
/// words, and reading continues with the next `import`. Lean's keywords are not known: one that begins the
/// first command is taken for a name if it follows such an `import`.
LeanHeader parse_lean_header(std::string_view source);

/// Whether a comment begins in or directly behind the header and never ends. Lean does not read a header
/// then.
bool has_endless_comment(std::string_view source);

/// Where a command can be put behind the header so that everything else stays at its line and column: its
/// end, if its last line has no more than a comment after it. nullopt: there is no such place.
std::optional<std::size_t> place_behind_header(std::string_view source);

/// The line, or lines, of an import, with what else is on them and with their end.
std::string_view lines_of_import(std::string_view source, const HeaderImport& import);

/// The source without one import: without its line, and a comment behind it, unless something else is there.
std::string without_import(std::string_view source, const HeaderImport& import);

}  // namespace leanbridge::text
