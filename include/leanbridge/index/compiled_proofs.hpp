#pragma once
/// What the proofs of a module rest on, read from what Lean compiled: kernel terms, which no option, macro or
/// message of the source can colour. Follows Lean's own CollectAxioms (src/Lean/Util/CollectAxioms.lean).

#include "leanbridge/base/error.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::index {

/// A constant of the module itself.
struct CompiledConstant {
  std::string name;  ///< as users write it; a private one without its prefix
  std::string kind;  ///< axiom, def, theorem, opaque, inductive, constructor, recursor, quot
  bool is_private = false;
  bool is_unsafe = false;
  bool is_partial = false;
  std::uint32_t line = 0;   ///< 1-based, of the declaration that it was made for; 0: Lean does not say
  bool uses_sorry = false;  ///< its own type or value holds sorryAx
};

/// What one constant is, and what it rests on.
struct Foundation {
  std::string name;  ///< as users write it
  std::string kind;  ///< as in CompiledConstant
  bool is_unsafe = false;
  bool is_partial = false;
  std::vector<std::string> axioms;  ///< sorted
  /// Theorems whose proofs are in none of the files, sorted: what they rest on is not known. A toolchain
  /// without its `.olean.private` files has many.
  std::vector<std::string> without_proof;
  std::string statement;  ///< its type, printed here and not by Lean
};

/// One module and all that it imports. Holds the files open (mapped); blocking, for a thread of a pool.
class CompiledProofs {
 public:
  /// `olean` is the module; imports are looked for in `search_path`, in its order. FileNotFound: an import is
  /// missing; NotSupported, Internal: a file is of an unknown format, or damaged.
  static Result<CompiledProofs> open(const std::filesystem::path& olean,
                                     const std::vector<std::filesystem::path>& search_path);
  CompiledProofs(CompiledProofs&&) noexcept;
  CompiledProofs& operator=(CompiledProofs&&) noexcept;
  ~CompiledProofs();

  /// The constants of the module, those that Lean makes for itself included. Internal: damaged.
  Result<std::vector<CompiledConstant>> constants();

  /// Of the constant with this name, the module's own or else an imported one; nullopt where there is none.
  /// Internal: damaged.
  Result<std::optional<Foundation>> foundation(std::string_view name);

 private:
  class Impl;
  explicit CompiledProofs(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

/// The folders of compiled modules in what `lake env` prints in `folder`, LEAN_PATH's first and then the
/// toolchain's own.
std::vector<std::filesystem::path> search_path_in(const std::string& environment,
                                                  const std::filesystem::path& folder);

}  // namespace leanbridge::index
