#pragma once
/// The page that a person must read to know the statements of theorems, the approval of that person, and the
/// meaning of a statement as one hash.
///
/// leanbridge prints everything from compiled terms: no notation, macro or option of a project can affect it.

#include "core/base/error.hpp"
#include "core/base/json_struct.hpp"
#include "core/olean/constant_reader.hpp"

#include <functional>
#include <map>
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

/// The dependencies of constants.
struct Dependencies {
  std::vector<std::string> keys;              ///< in the order in which a reader meets them
  std::vector<std::string> boundary;          ///< keys that these mention, but that were not followed
  std::map<std::string, std::string> hashes;  ///< the hash of each of `keys` alone
};

/// Hashes statements of a set, which must outlive it. If two constants have the same hash, they have the same
/// statement, and so do all constants of the project that they depend on. Ignores proofs and names of bound
/// variables.
class Fingerprints {
 public:
  /// `is_project`: whether a module is the project's own. Constants of other modules count by their names.
  Fingerprints(olean::ModuleSet& set, std::function<bool(const olean::SetModule&)> is_project)
      : set_(set), is_project_(std::move(is_project)), reader_(terms_, set) {}

  enum class Scope { Project, Everything };
  /// The constants and their dependencies, through types and, except for theorems, values. Internal: damaged;
  /// NotSupported: too many terms.
  Result<Dependencies> walk(std::vector<std::string> roots, Scope scope);

  /// The SHA-256 of the constant (without its value if it is a theorem) and of every constant of the project
  /// that it depends on. Errors as for walk().
  Result<std::string> of(olean::ConstantId id);

 private:
  struct Node {
    std::string hash;
    std::vector<std::string> mentions;
  };
  Result<const Node*> node(const std::string& key, olean::ConstantId id);
  /// The hash of a term. Computes the hashes of all terms up to this one.
  const std::string& hash_of(olean::TermId id);
  std::string hash_of(const std::string& key, const olean::ConstantTerms& constant);

  olean::ModuleSet& set_;
  std::function<bool(const olean::SetModule&)> is_project_;
  olean::TermTable terms_;
  olean::ConstantReader reader_;
  std::map<std::string, Node> nodes_;
  std::vector<std::string> hashes_;  // by TermId
};

/// The hash of the constants' hashes, and of the `roots` among them.
std::string hash_of(const std::vector<std::string>& roots, const std::map<std::string, std::string>& hashes);

/// The page about these theorems of a set, by their keys. Errors: Internal (damaged), NotSupported (too much
/// below them). Blocking.
Result<Page> read_page(olean::ModuleSet& set, const std::vector<std::string>& theorems,
                       const std::function<bool(const olean::SetModule&)>& is_project);

/// The definitions that a solution has filled in, by their keys, followed by the constants of the solution
/// and the project that they name. Errors: Internal (damaged), NotSupported (more than a person can read).
/// Blocking.
Result<std::vector<PageItem>> read_fillings(olean::ModuleSet& solution, const std::vector<std::string>& holes,
                                            const std::function<bool(const olean::SetModule&)>& is_project);

}  // namespace leanbridge::certify
