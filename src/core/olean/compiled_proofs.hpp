#pragma once
/// Finds the axioms and sorries that the proofs of a module rest on, from the kernel terms that Lean
/// compiled: no option, macro or message of the source can falsify them. Follows Lean's CollectAxioms
/// (src/Lean/Util/CollectAxioms.lean).

#include "core/base/error.hpp"
#include "module_set.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::olean {

/// A constant of the module itself.
struct CompiledConstant {
  std::string name;  ///< as users write it; private names without their prefix
  std::string kind;  ///< axiom, def, theorem, opaque, inductive, constructor, recursor, quot
  bool is_private = false;
  bool is_unsafe = false;
  bool is_partial = false;
  std::uint32_t line = 0;   ///< 1-based line of the declaration that it was generated for; 0: unknown
  bool uses_sorry = false;  ///< its own type or value contains sorryAx
};

/// A constant and its foundation.
struct Foundation {
  std::string name;  ///< as users write it
  std::string kind;  ///< as in CompiledConstant
  bool is_unsafe = false;
  bool is_partial = false;
  std::vector<std::string> axioms;  ///< sorted
  /// Theorems whose proofs are in none of the files, sorted: their axioms are unknown. A toolchain without
  /// `.olean.private` files has many.
  std::vector<std::string> without_proof;
  std::string statement;  ///< its type, printed by leanbridge, not by Lean
};

/// A module and all its imports. Keeps the files mapped. Blocks: call it on a pool thread.
class CompiledProofs {
 public:
  /// Opens the module, and its imports from `search_path`, in that order. Errors: FileNotFound (an
  /// import is missing), NotSupported (unknown format), Internal (damaged).
  static Result<CompiledProofs> open(ModuleBytes module,
                                     const std::vector<std::filesystem::path>& search_path);
  CompiledProofs(CompiledProofs&&) noexcept;
  CompiledProofs& operator=(CompiledProofs&&) noexcept;
  ~CompiledProofs();

  /// The constants of the module, including those that Lean generates. Error: Internal (damaged).
  Result<std::vector<CompiledConstant>> constants();

  /// The constants that rest on an axiom which is not allowed, or on a theorem without proof, by their index
  /// in constants(). Omits their statements. Error: Internal (damaged).
  Result<std::map<std::size_t, Foundation>> foundations_beyond(
      const std::function<bool(std::string_view axiom)>& is_allowed);

  /// Looks up a name, first in the module itself, then among what its imports export. nullopt: no such
  /// constant. Error: Internal (damaged).
  Result<std::optional<Foundation>> foundation(std::string_view name);

 private:
  class Impl;
  explicit CompiledProofs(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace leanbridge::olean
