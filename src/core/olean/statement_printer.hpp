#pragma once
/// Prints statements and definitions for a person who must know what they say: two terms that differ are not
/// printed alike, but for names of bound variables, proofs in indices, and what the printed parts determine.
/// `ModuleSet::statement` makes lines to search.

#include "module_set.hpp"

#include <functional>
#include <string>

namespace leanbridge::olean {

/// In notation, arguments are left out that the others determine, and instances of the library that belong to
/// their class and type. Each other application is printed in full.
enum class Spelling { Notation, InFull };

class StatementPrinter {
 public:
  /// `is_project`: whether a module is the project's, so that its instances of the library's classes for the
  /// library's types are printed. The set must outlive this.
  StatementPrinter(ModuleSet& set, std::function<bool(const SetModule&)> is_project);
  ~StatementPrinter();
  StatementPrinter(StatementPrinter&&) noexcept;
  StatementPrinter& operator=(StatementPrinter&&) = delete;

  /// `(n m : Nat) : n + m = m + n`; "" if it would be too long.
  std::string statement(ConstantId id, Spelling spelling = Spelling::Notation);
  /// The same with the value, if it has one and is no theorem.
  std::string definition(ConstantId id, Spelling spelling = Spelling::Notation);
  /// `.{u, v}`, its parameters for universes; "": none.
  std::string level_params(ConstantId id);

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace leanbridge::olean
