#pragma once
/// Whether an instance in a term need not be printed: the library declares it for exactly this class and
/// type, or the statement itself assumes it.

#include "constant_shape.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace leanbridge::statement {

/// A term in an environment that gives a value to its variables: first the variables that the term binds
/// itself, then `values`, the last one first, then the variables of the scope in which it is printed.
struct Closure {
  SetModule* module = nullptr;
  Ref ref = olean::kBoxedZero;
  std::shared_ptr<const std::vector<Closure>> values;  ///< null: it uses only the scope
  std::size_t scope = 0;                               ///< the number of visible variables of the scope
  std::vector<std::uint64_t> bound;                    ///< numbers of the variables that it binds itself
};

/// A variable of the scope, with its type.
struct ScopeType {
  Ref type = olean::kBoxedZero;
  bool is_instance = false;
};

class InstanceCheck {
 public:
  /// `scope`: the variables in scope at the term, which is in `module`.
  InstanceCheck(ConstantShapes& shapes, SetModule& module, const std::vector<ScopeType>& scope)
      : shapes_(shapes), module_(module), scope_(scope) {}

  /// Whether argument `i` of a constant, an instance, follows from its type.
  bool follows(const ConstantShape& function, const std::vector<Ref>& arguments, std::size_t i);
  /// Whether the type of argument `i` is exactly the type that the constant expects there, as far as that
  /// shows without computing. If it is only equal by computation, the argument does not determine the other
  /// arguments.
  bool is_of_its_type(const ConstantShape& function, const std::vector<Ref>& arguments, std::size_t i);
  /// Whether two terms of the scope are the same.
  bool is_same(Ref one, Ref other);

 private:
  static constexpr int kMaxSteps = 3000;

  Closure in_scope(Ref ref) const { return {&module_, ref, nullptr, scope_.size(), {}}; }
  bool follows(const Closure& instance, const Closure& type);
  bool follows_from_constant(const ConstantShape& constant, const std::vector<Closure>& arguments,
                             const Closure& type);
  bool is_assumed(std::size_t variable, const Closure& type);
  /// The type of a variable of the scope.
  Closure type_of(std::size_t variable) const {
    return {&module_, scope_[variable].type, nullptr, variable, {}};
  }
  /// Whether the term contains a variable of the scope.
  bool has_variable(Closure term);
  /// The number of instances of this type that the statement assumes.
  std::size_t assumed(const Closure& type);
  Closure type_of_argument(const ConstantShape& function, const std::vector<Ref>& arguments,
                           std::size_t i) const;
  bool same(Closure one, Closure other);
  /// Replaces a variable by its value. A variable of the scope, or one that a term binds, remains.
  Closure resolved(Closure term) const;
  /// A number that identifies a variable; 0: the term is not a variable.
  std::uint64_t variable(const Closure& term) const;
  /// The head of an application; `arguments` receives its arguments.
  Closure head(Closure term, std::vector<Closure>& arguments) const;
  const ConstantShape* constant(const Closure& head);
  /// Whether the class, or a type that it is applied to, is the project's own.
  bool is_about_project(const Closure& type);
  bool mentions(const ConstantShape& constant, std::size_t binder);

  ConstantShapes& shapes_;
  SetModule& module_;
  const std::vector<ScopeType>& scope_;
  int steps_ = 0;
  std::uint64_t next_bound_ = 1;
};

}  // namespace leanbridge::statement
