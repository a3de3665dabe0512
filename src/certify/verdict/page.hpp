#pragma once
/// The page that a person must read to know the statements of theorems, and the approval of that person.
/// Pure.
///
/// leanbridge prints everything from compiled terms: no notation, macro or option of a project can affect it.

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
  std::string text;   ///< `(n : Nat) : T := value`, without the value of a theorem; "": it is too long to
                      ///< print
  std::string place;  ///< `Defs:3`, its place according to its source
  std::vector<std::string> constructors;  ///< `mk (n : Nat) : T`, each with its assumptions
  std::string sha256;                     ///< the hash of its terms
  bool generated = false;  ///< it has no place in a source: Lean or a program of the project generated it
  /// `text` without notation, in case Lean does not read `text` back as the compiled term.
  std::string in_full = {};

  static wire::Fields fields();
};

struct Page {
  std::vector<std::string> theorems;  ///< the theorems that are judged
  std::vector<PageItem> items;        ///< the theorems, then the constants that they name, in reading order
  std::vector<std::string> library;   ///< the constants of toolchain and packages that the items name
  std::string lean;                   ///< Lean's version
  std::string library_sha256;         ///< the hash of everything in toolchain and packages below the items
  std::string fingerprint;            ///< the hash of everything below the theorems, except proofs
  std::string not_read;               ///< why Lean has read back none of the lines, as a clause; "": it has

  static wire::Fields fields();
};

/// The page as plain text, without control characters.
std::string to_text(const Page& page);

/// An item on one line: `def limit : Nat := 5`.
std::string to_line(const PageItem& item);

/// A page that a person has approved. Anybody who can write the file can write another one.
struct Approval {
  int format = 1;  ///< in JSON, `leanbridge_approval`
  std::string approved_by;
  std::string approved_at;  ///< such as 2026-11-26T12:00:00Z
  Page page;

  static wire::Fields fields();
};

/// InvalidArgument: it is not an approval. `name` is the file's.
Result<Approval> read_approval(std::string_view text, const std::string& name);

/// Each difference between two pages as a sentence. Empty exactly if the fingerprints are equal.
std::vector<std::string> changes(const Page& approved, const Page& now);

}  // namespace leanbridge::certify
