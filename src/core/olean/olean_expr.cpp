#include "olean_expr.hpp"

#include <algorithm>
#include <unordered_set>

namespace leanbridge::olean {
namespace {

// Types written by people come nowhere near these limits, which bound the cost of a damaged file.
constexpr int kMaxBinders = 1000;
constexpr int kMaxAnnotations = 100;
constexpr int kMaxArguments = 1000;
constexpr std::size_t kMaxNodes = 3000;
constexpr int kMaxUseSteps = 2000;

}  // namespace

Expr Expressions::at(Ref expr) {
  for (int i = 0; i < kMaxAnnotations; ++i) {
    const Object object = region_.constructor(expr);
    if (object.tag > static_cast<unsigned>(ExprKind::Proj)) break;
    const auto kind = static_cast<ExprKind>(object.tag);
    if (kind != ExprKind::Mdata) return {kind, object};
    expr = region_.field(object, 1);
  }
  region_.damaged("an expression is missing", expr);
  return {};
}

BinderInfo Expressions::binder(const Expr& expr) {
  // Eight bytes of cached data come first.
  if (expr.object.scalars.size() < 9) return BinderInfo::Explicit;
  return static_cast<BinderInfo>(static_cast<unsigned char>(expr.object.scalars[8]) & 3U);
}

/// The cached data consists of a hash (32 bits), a depth (8), flags (4) and this range (20).
std::uint64_t Expressions::loose_range(const Expr& expr) const {
  const std::string_view data = expr.object.scalars;
  if (data.size() < 8) return 0;
  std::uint64_t value = 0;
  for (std::size_t i = 5; i < 8; ++i)
    value |= std::uint64_t{static_cast<unsigned char>(data[i])} << (8 * (i - 5));
  return value >> 4U;
}

bool Expressions::uses_bound(Ref expr) {
  int steps = 0;
  return uses_bound(expr, 0, steps);
}

bool Expressions::uses_bound(Ref expr, std::uint64_t index, int& steps) {
  if (++steps > kMaxUseSteps) return true;  // the answer affects only the appearance
  const Expr node = at(expr);
  if (loose_range(node) <= index) return false;
  switch (node.kind) {
    case ExprKind::Bvar:
      return unboxed(field(node, 0)) == index;
    case ExprKind::App:
      return uses_bound(field(node, 0), index, steps) || uses_bound(field(node, 1), index, steps);
    case ExprKind::Lam:
    case ExprKind::Forall:
      return uses_bound(field(node, 1), index, steps) || uses_bound(field(node, 2), index + 1, steps);
    case ExprKind::Let:
      return uses_bound(field(node, 1), index, steps) || uses_bound(field(node, 2), index, steps) ||
             uses_bound(field(node, 3), index + 1, steps);
    case ExprKind::Proj:
      return uses_bound(field(node, 2), index, steps);
    default:
      return false;
  }
}

Ref Expressions::head(Ref expr, std::vector<Ref>& arguments) {
  arguments.clear();
  for (int i = 0; i < kMaxArguments; ++i) {
    const Expr node = at(expr);
    if (node.kind != ExprKind::App) break;
    arguments.push_back(field(node, 1));
    expr = field(node, 0);
  }
  std::reverse(arguments.begin(), arguments.end());
  return expr;
}

Ref Expressions::constant(Ref expr) {
  const Expr node = at(expr);
  return node.kind == ExprKind::Const ? field(node, 0) : kBoxedZero;
}

std::string Expressions::binders(Ref type) {
  std::string letters;
  for (int i = 0; i < kMaxBinders; ++i) {
    const Expr node = at(type);
    if (node.kind != ExprKind::Forall) break;
    const BinderInfo info = binder(node);
    letters += info == BinderInfo::Explicit ? 'e' : info == BinderInfo::Instance ? 'c' : 'i';
    type = field(node, 2);
  }
  return letters;
}

std::vector<std::string> Expressions::constants(Ref type, std::size_t limit) {
  std::vector<std::string> found;
  std::vector<Ref> todo{type};
  std::unordered_set<Ref> seen;
  while (!todo.empty() && found.size() < limit && seen.size() < kMaxNodes) {
    const Ref next = todo.back();
    todo.pop_back();
    if (!seen.insert(next).second) continue;
    const Expr node = at(next);
    switch (node.kind) {
      case ExprKind::Const: {
        const NameText& name = names_.at(field(node, 0));
        const bool wanted = !name.internal && !name.text.empty();
        if (wanted && std::ranges::find(found, name.text) == found.end()) found.push_back(name.text);
        break;
      }
      case ExprKind::App:
        todo.insert(todo.end(), {field(node, 1), field(node, 0)});
        break;
      case ExprKind::Lam:
      case ExprKind::Forall:
        todo.insert(todo.end(), {field(node, 2), field(node, 1)});
        break;
      case ExprKind::Let:
        todo.insert(todo.end(), {field(node, 3), field(node, 2), field(node, 1)});
        break;
      case ExprKind::Proj:
        todo.push_back(field(node, 2));
        break;
      default:
        break;
    }
  }
  return found;
}

std::string Expressions::conclusion(Ref type) {
  for (int i = 0; i < kMaxBinders; ++i) {
    const Expr node = at(type);
    if (node.kind == ExprKind::Forall) {
      type = field(node, 2);
    } else if (node.kind == ExprKind::Let) {
      type = field(node, 3);
    } else if (node.kind == ExprKind::App) {
      type = field(node, 0);
    } else {
      return node.kind == ExprKind::Const ? names_.at(field(node, 0)).text : std::string();
    }
  }
  return {};
}

}  // namespace leanbridge::olean
