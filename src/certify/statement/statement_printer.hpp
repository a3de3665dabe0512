#pragma once
/// Prints statements and definitions for a person who must rely on them. Two different terms are never
/// printed alike, apart from names of bound variables, proofs in indices, and parts that the printed ones
/// determine. `olean::ModuleSet::statement` makes lines for searching.

#include "core/olean/module_set.hpp"

#include <functional>
#include <string>

namespace leanbridge::statement {

/// Notation: omits arguments that the others determine, and instances of the library that belong to their
/// class and type. InFull: prints each application with all arguments.
enum class Spelling { Notation, InFull };

class StatementPrinter {
 public:
  /// `is_project`: whether a module is the project's own. The project's instances of library classes for
  /// library types are printed. The set must outlive this object.
  StatementPrinter(olean::ModuleSet& set, std::function<bool(const olean::SetModule&)> is_project);
  ~StatementPrinter();
  StatementPrinter(StatementPrinter&&) noexcept;
  StatementPrinter& operator=(StatementPrinter&&) = delete;

  /// `(n m : Nat) : n + m = m + n`; "" if it would be too long.
  std::string statement(olean::ConstantId id, Spelling spelling = Spelling::Notation);
  /// Returns the statement, followed by the value if there is one and the constant is no theorem.
  std::string definition(olean::ConstantId id, Spelling spelling = Spelling::Notation);
  /// `.{u, v}`, its universe parameters; "": none.
  std::string level_params(olean::ConstantId id);

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace leanbridge::statement
