#pragma once
/// What a person must read to know what theorems state, and the approval of that person. Pure.
///
/// Everything is printed by leanbridge from compiled terms: no notation, macro or option of a project has a
/// say in it.

#include "core/base/error.hpp"
#include "core/base/json_struct.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::certify {

/// A constant of the project.
struct PageItem {
  std::string kind;  ///< "theorem", "def", "structure", ...
  std::string name;
  std::string text;   ///< `(n : Nat) : T := value`, without the value of a theorem; "": too long to print
  std::string place;  ///< `Defs:3`, where its source says that it is
  std::vector<std::string> constructors;  ///< `mk (n : Nat) : T`, each with what it assumes
  std::string sha256;                     ///< of its terms
  bool generated = false;  ///< it has no place in a source: by Lean, or by a program of the project
  /// `text` without notation, if Lean does not read that as the compiled term.
  std::string in_full = {};

  static wire::Fields fields();
};

struct Page {
  std::vector<std::string> theorems;  ///< that are judged
  std::vector<PageItem> items;        ///< these first, then what they name, in the order of reading
  std::vector<std::string> library;   ///< what the items name of toolchain and packages
  std::string lean;                   ///< version
  std::string library_sha256;         ///< of everything of toolchain and packages below the items
  std::string fingerprint;            ///< of everything below the theorems, but proofs
  std::string not_read;               ///< why Lean has read none of the lines back, as a clause; "": it has

  static wire::Fields fields();
};

/// The page as a text to read. Clean of control characters.
std::string to_text(const Page& page);

/// One of its items in one line, `def limit : Nat := 5`.
std::string to_line(const PageItem& item);

/// A page that somebody has approved. Whoever can write the file can write another one.
struct Approval {
  int format = 1;  ///< `leanbridge_approval`
  std::string approved_by;
  std::string approved_at;  ///< 2026-11-26T12:00:00Z
  Page page;

  static wire::Fields fields();
};

/// InvalidArgument: it is none. `name` is the file's.
Result<Approval> read_approval(std::string_view text, const std::string& name);

/// Each difference between two pages as a sentence. Empty exactly if the fingerprints are equal.
std::vector<std::string> changes(const Page& approved, const Page& now);

}  // namespace leanbridge::certify
