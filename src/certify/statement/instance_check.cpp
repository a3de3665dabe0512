#include "instance_check.hpp"

#include "core/text/word_list.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace leanbridge::statement {

using namespace olean;

namespace {

/// Classes of the library that are not propositions, but have at most one instance for each type.
constexpr auto kSubsingletons =
    std::to_array<std::string_view>({"Decidable", "DecidablePred", "DecidableRel", "DecidableEq"});

/// Whether the choice of an instance of this class cannot change a meaning.
bool has_one_instance(const ConstantShape& wanted) {
  const Expr result = wanted.module->expressions.at(wanted.result);
  if (result.kind == ExprKind::Sort && is_boxed(wanted.module->expressions.field(result, 0))) return true;
  return !wanted.is_project && text::contains(kSubsingletons, wanted.name);
}

}  // namespace

bool InstanceCheck::follows(const ConstantShape& function, const std::vector<Ref>& arguments, std::size_t i) {
  if (i >= function.binders.size()) return false;
  steps_ = 0;
  return follows(in_scope(arguments[i]), type_of_argument(function, arguments, i));
}

Closure InstanceCheck::type_of_argument(const ConstantShape& function, const std::vector<Ref>& arguments,
                                        std::size_t i) const {
  auto values = std::make_shared<std::vector<Closure>>();
  for (std::size_t j = 0; j < i; ++j) values->push_back(in_scope(arguments[j]));
  return {function.module, function.binders[i].type, std::move(values), 0, {}};
}

bool InstanceCheck::is_of_its_type(const ConstantShape& function, const std::vector<Ref>& arguments,
                                   std::size_t i) {
  steps_ = 0;
  std::vector<Closure> of_argument;
  const Closure found = head(in_scope(arguments[i]), of_argument);
  const Closure wanted = type_of_argument(function, arguments, i);
  if (const std::uint64_t number = variable(found); number != 0) {
    if (number > scope_.size()) return true;
    Closure type = type_of(number - 1);
    for (std::size_t j = 0; j < of_argument.size(); ++j) {
      const Expr node = module_.expressions.at(type.ref);
      if (node.kind != ExprKind::Forall) return true;
      type.ref = module_.expressions.field(node, 2);
    }
    if (!of_argument.empty())
      type.values = std::make_shared<const std::vector<Closure>>(std::move(of_argument));
    return same(type, wanted);
  }
  const ConstantShape* const shape = constant(found);
  if (shape == nullptr || of_argument.size() != shape->binders.size()) return true;
  auto values = std::make_shared<const std::vector<Closure>>(std::move(of_argument));
  return same({shape->module, shape->result, std::move(values), 0, {}}, wanted);
}

bool InstanceCheck::is_same(Ref one, Ref other) {
  steps_ = 0;
  return same(in_scope(one), in_scope(other));
}

Closure InstanceCheck::resolved(Closure term) const {
  for (int steps = 0; steps < kMaxSteps; ++steps) {
    const Expr node = term.module->expressions.at(term.ref);
    if (node.kind != ExprKind::Bvar || !term.values) return term;
    const std::uint64_t index = unboxed(term.module->expressions.field(node, 0));
    if (index < term.bound.size() || index - term.bound.size() >= term.values->size()) return term;
    Closure value = (*term.values)[term.values->size() - 1 - (index - term.bound.size())];
    term = std::move(value);
  }
  return term;
}

std::uint64_t InstanceCheck::variable(const Closure& term) const {
  const Expr node = term.module->expressions.at(term.ref);
  if (node.kind != ExprKind::Bvar) return 0;
  constexpr std::uint64_t kBound = std::uint64_t{1} << 32U;
  const std::uint64_t index = unboxed(term.module->expressions.field(node, 0));
  if (index < term.bound.size()) return kBound + term.bound[term.bound.size() - 1 - index];
  const std::uint64_t inner = term.bound.size() + (term.values ? term.values->size() : 0);
  return index >= inner && index - inner < term.scope ? term.scope - (index - inner) : 0;
}

Closure InstanceCheck::head(Closure term, std::vector<Closure>& arguments) const {
  arguments.clear();
  term = resolved(std::move(term));
  for (int steps = 0; steps < kMaxSteps; ++steps) {
    const Expr node = term.module->expressions.at(term.ref);
    if (node.kind != ExprKind::App) break;
    Closure argument = term;
    argument.ref = term.module->expressions.field(node, 1);
    arguments.push_back(resolved(std::move(argument)));
    term.ref = term.module->expressions.field(node, 0);
    term = resolved(std::move(term));
  }
  std::reverse(arguments.begin(), arguments.end());
  return term;
}

const ConstantShape* InstanceCheck::constant(const Closure& head) {
  const Ref name = head.module->expressions.constant(head.ref);
  return is_boxed(name) ? nullptr : shapes_.find(*head.module, name);
}

bool InstanceCheck::same(Closure one, Closure other) {
  if (++steps_ > kMaxSteps) return false;
  one = resolved(std::move(one));
  other = resolved(std::move(other));
  const Expr a = one.module->expressions.at(one.ref), b = other.module->expressions.at(other.ref);
  if (a.kind != b.kind) return false;
  const auto parts_are_same = [&](std::size_t i) {
    Closure left = one, right = other;
    left.ref = one.module->expressions.field(a, i);
    right.ref = other.module->expressions.field(b, i);
    return same(std::move(left), std::move(right));
  };
  switch (a.kind) {
    case ExprKind::Bvar:
      return variable(one) != 0 && variable(one) == variable(other);
    case ExprKind::Sort:
      return true;  // the levels follow from the types of the arguments
    case ExprKind::Const:
      return key_of(*one.module, one.module->expressions.field(a, 0)) ==
             key_of(*other.module, other.module->expressions.field(b, 0));
    case ExprKind::App:
      return parts_are_same(0) && parts_are_same(1);
    case ExprKind::Lam:
    case ExprKind::Forall: {
      if (!parts_are_same(1)) return false;
      one.bound.push_back(next_bound_);
      other.bound.push_back(next_bound_++);
      return parts_are_same(2);
    }
    case ExprKind::Lit: {
      const auto literal = [](const Closure& term, const Expr& node) {
        Region& region = term.module->region;
        const Object object = region.constructor(term.module->expressions.field(node, 0));
        const Ref value = region.field(object, 0);
        return std::pair(object.tag, object.tag == 1   ? std::string(region.string(value))
                                     : is_boxed(value) ? std::to_string(unboxed(value))
                                                       : "#" + std::string(region.object(value).data));
      };
      return literal(one, a) == literal(other, b);
    }
    default:
      return false;
  }
}

bool InstanceCheck::follows(const Closure& instance, const Closure& type) {
  if (++steps_ > kMaxSteps) return false;
  std::vector<Closure> class_arguments;
  const ConstantShape* const wanted = constant(head(type, class_arguments));
  if (wanted != nullptr && has_one_instance(*wanted)) return true;
  std::vector<Closure> arguments;
  const Closure function = head(instance, arguments);
  if (const std::uint64_t number = variable(function); number != 0 && arguments.empty())
    return number <= scope_.size() && is_assumed(number - 1, type);
  const ConstantShape* const found = constant(function);
  return found != nullptr && follows_from_constant(*found, arguments, type);
}

bool InstanceCheck::follows_from_constant(const ConstantShape& constant,
                                          const std::vector<Closure>& arguments, const Closure& type) {
  if (!constant.is_instance || arguments.size() != constant.binders.size()) return false;
  // The page prints the project's instances, but a reader does not expect one that changes the meaning of
  // library notation. Such an instance must not go unprinted.
  if (constant.is_project && !is_about_project(type)) return false;
  const auto values = std::make_shared<const std::vector<Closure>>(arguments);
  // If an instance of the type is assumed, Lean uses that one.
  if (!same({constant.module, constant.result, values, 0, {}}, type) || assumed(type) > 0) return false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (constant.binders[i].info != BinderInfo::Instance) {
      if (!mentions(constant, i)) return false;
      continue;
    }
    const auto before = std::make_shared<const std::vector<Closure>>(
        arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(i));
    if (!follows(arguments[i], {constant.module, constant.binders[i].type, before, 0, {}})) return false;
  }
  return true;
}

bool InstanceCheck::mentions(const ConstantShape& constant, std::size_t binder) {
  Expressions& expressions = constant.module->expressions;
  const auto has = [&](Ref ref, std::size_t before) {
    std::vector<std::pair<Ref, std::size_t>> todo = {{ref, 0}};
    for (int steps = 0; !todo.empty() && steps < kMaxSteps; ++steps) {
      const auto [part, depth] = todo.back();
      todo.pop_back();
      const Expr node = expressions.at(part);
      const auto add = [&](std::size_t i, std::size_t more) {
        todo.emplace_back(expressions.field(node, i), depth + more);
      };
      if (node.kind == ExprKind::Bvar && unboxed(expressions.field(node, 0)) == depth + (before - 1 - binder))
        return true;
      if (node.kind == ExprKind::App) add(0, 0), add(1, 0);
      if (node.kind == ExprKind::Lam || node.kind == ExprKind::Forall) add(1, 0), add(2, 1);
    }
    return false;
  };
  if (has(constant.result, constant.binders.size())) return true;
  for (std::size_t i = binder + 1; i < constant.binders.size(); ++i)
    if (constant.binders[i].info == BinderInfo::Instance && has(constant.binders[i].type, i)) return true;
  return false;
}

bool InstanceCheck::is_assumed(std::size_t variable, const Closure& type) {
  // An assumed instance for a library type, such as another addition of numbers, changes the usual meaning of
  // notation, so it is printed.
  return scope_[variable].is_instance && same(type_of(variable), type) && assumed(type) == 1 &&
         has_variable(type);
}

bool InstanceCheck::has_variable(Closure term) {
  if (++steps_ > kMaxSteps) return false;
  term = resolved(std::move(term));
  Expressions& expressions = term.module->expressions;
  const Expr node = expressions.at(term.ref);
  const auto is_in = [&](std::size_t i, bool binds) {
    Closure part = term;
    part.ref = expressions.field(node, i);
    if (binds) part.bound.push_back(next_bound_++);
    return has_variable(std::move(part));
  };
  switch (node.kind) {
    case ExprKind::Bvar:
      return variable(term) != 0 && unboxed(expressions.field(node, 0)) >= term.bound.size();
    case ExprKind::App:
      return is_in(0, false) || is_in(1, false);
    case ExprKind::Lam:
    case ExprKind::Forall:
      return is_in(1, false) || is_in(2, true);
    default:
      return false;
  }
}

std::size_t InstanceCheck::assumed(const Closure& type) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < scope_.size(); ++i)
    if (scope_[i].is_instance && same(type_of(i), type)) ++count;
  return count;
}

bool InstanceCheck::is_about_project(const Closure& type) {
  std::vector<Closure> arguments;
  const auto is_project = [this](const Closure& term) {
    std::vector<Closure> ignored;
    const ConstantShape* const found = constant(head(term, ignored));
    return found != nullptr && found->is_project;
  };
  const ConstantShape* const of_class = constant(head(type, arguments));
  return (of_class != nullptr && of_class->is_project) || std::ranges::any_of(arguments, is_project);
}

}  // namespace leanbridge::statement
