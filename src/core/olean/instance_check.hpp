#pragma once
/// Whether an instance in a term goes without saying: it is one that the library declares for exactly this
/// class and type, or one that the statement itself assumes.

#include "constant_shape.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace leanbridge::olean {

/// A term whose variables stand for other terms: first those that it binds itself, then `values`, the last
/// one first, then those of the scope in which something is printed.
struct Closure {
  SetModule* module = nullptr;
  Ref ref = kBoxedZero;
  std::shared_ptr<const std::vector<Closure>> values;  ///< null: only the scope
  std::size_t scope = 0;                               ///< how many variables of it are visible
  std::vector<std::uint64_t> bound;                    ///< numbers of what it binds itself
};

/// A variable of the scope.
struct ScopeType {
  Ref type = kBoxedZero;
  bool is_instance = false;
};

class InstanceCheck {
 public:
  /// `scope`: the variables where the term is, in `module`.
  InstanceCheck(ConstantShapes& shapes, SetModule& module, const std::vector<ScopeType>& scope)
      : shapes_(shapes), module_(module), scope_(scope) {}

  /// Whether argument `i` of a constant, an instance, follows from its type.
  bool follows(const ConstantShape& function, const std::vector<Ref>& arguments, std::size_t i);
  /// Whether argument `i` has the very type that the constant takes there, as far as it is seen without
  /// computing. Where it has another one that only computes to the same, it says nothing of the others.
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
  /// Whether it has a variable of the scope.
  bool has_variable(Closure term);
  /// How many instances of this type the statement assumes.
  std::size_t assumed(const Closure& type);
  Closure type_of_argument(const ConstantShape& function, const std::vector<Ref>& arguments,
                           std::size_t i) const;
  bool same(Closure one, Closure other);
  /// Replaces a variable by what it stands for. A variable of the scope, or one that a term binds, remains.
  Closure resolved(Closure term) const;
  /// A number that differs for different variables; 0: it is none.
  std::uint64_t variable(const Closure& term) const;
  /// Head and arguments of an application.
  Closure head(Closure term, std::vector<Closure>& arguments) const;
  const ConstantShape* constant(const Closure& head);
  /// Whether a class, or a type that it is about, is the project's own.
  bool is_about_project(const Closure& type);
  bool mentions(const ConstantShape& constant, std::size_t binder);

  ConstantShapes& shapes_;
  SetModule& module_;
  const std::vector<ScopeType>& scope_;
  int steps_ = 0;
  std::uint64_t next_bound_ = 1;
};

}  // namespace leanbridge::olean
