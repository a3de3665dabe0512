#pragma once
/// Types in an `.olean`: objects of Lean.Expr. Its constructors are in the order of Lean's
/// src/Lean/Expr.lean.

#include "olean_names.hpp"
#include "olean_region.hpp"

#include <string>
#include <vector>

namespace leanbridge::olean {

/// The constructors of Lean.Level, by their tags; zero is a boxed number.
enum LevelKind : unsigned { kLevelSucc = 1, kLevelMax = 2, kLevelImax = 3, kLevelParam = 4 };

enum class ExprKind : unsigned {
  Bvar,
  Fvar,
  Mvar,
  Sort,
  Const,
  App,
  Lam,
  Forall,
  Let,
  Lit,
  Mdata,
  Proj,
  None = 255
};

enum class BinderInfo : unsigned { Explicit, Implicit, StrictImplicit, Instance };

struct Expr {
  ExprKind kind = ExprKind::None;
  Object object;
};

class Expressions {
 public:
  Expressions(Region& region, Names& names) : region_(region), names_(names) {}

  Region& region() { return region_; }
  Names& names() { return names_; }

  /// Skips annotations (mdata).
  Expr at(Ref expr);
  Ref field(const Expr& expr, std::size_t i) { return region_.field(expr.object, i); }
  /// The kind of binder of a Lam or Forall.
  BinderInfo binder(const Expr& expr);
  /// Whether it mentions the innermost bound variable, by the count of loose variables that Lean stores in
  /// each node.
  bool uses_bound(Ref expr);

  /// The head of an application; `arguments` receives its arguments.
  Ref head(Ref expr, std::vector<Ref>& arguments);
  /// The name of a constant; kBoxedZero for other expressions.
  Ref constant(Ref expr);

  /// One letter per argument of a function of this type: see BinderTable.
  std::string binders(Ref type);
  /// The first `limit` constants that the type mentions, each once, in order; private ones with the names
  /// that users see.
  std::vector<std::string> constants(Ref type, std::size_t limit);
  /// The constant at the head of the part behind all binders; "": none.
  std::string conclusion(Ref type);

 private:
  bool uses_bound(Ref expr, std::uint64_t index, int& steps);
  std::uint64_t loose_range(const Expr& expr) const;

  Region& region_;
  Names& names_;
};

}  // namespace leanbridge::olean
