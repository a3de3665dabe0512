#pragma once
/// What stands before the first command of a Lean file: `module`, `prelude` and the imports, as
/// Lean.Parser.Module.header reads them (src/Lean/Parser/Module/Syntax.lean).

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct HeaderImport {
  std::string module;  ///< as it stands, with its « and »
  bool is_public = false;
  bool is_meta = false;
  bool is_all = false;  ///< `import all`
};

/// Comments and white space are left out. Two texts with equal words have the same header for Lean.
struct LeanHeader {
  std::vector<std::string> words;  ///< `module`, `public`, `import`, names, ... as they stand
  bool is_module = false;
  bool has_prelude = false;
  std::vector<HeaderImport> imports;  ///< in order
  std::size_t end = 0;                ///< byte offset just after the last of its words that has a meaning

  std::vector<std::string> imported_modules() const;
};

/// Total. Lean refuses a header with an `import` that has no name; here this one is among the words alone,
/// and the next `import` goes on. Lean's keywords are not known, so one that begins the first command is a
/// name when it follows such an `import`. Linear time.
LeanHeader parse_lean_header(std::string_view source);

}  // namespace leanbridge::text
