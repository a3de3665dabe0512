#include "constant_shape.hpp"

#include <algorithm>
#include <utility>

namespace leanbridge::statement {

using namespace olean;

namespace {

constexpr std::size_t kMaxShownBinders = 200;
constexpr int kMaxShapeSteps = 2000;
constexpr std::size_t kMaxLevelSteps = 100;

/// Adds the names of the universe parameters that a level determines.
void add_params(Region& region, Ref level, std::vector<Ref>& found) {
  for (std::size_t steps = 0; !is_boxed(level) && steps < kMaxLevelSteps; ++steps) {
    const Object object = region.constructor(level);
    if (object.tag == kLevelParam) found.push_back(region.field(object, 0));
    if (object.tag != kLevelSucc) return;
    level = region.field(object, 0);
  }
}

/// Adds the names that a list of levels determines.
void add_params_of_list(Region& region, Ref list, std::vector<Ref>& found) {
  for (std::size_t steps = 0; !is_boxed(list) && steps < kMaxLevelSteps; ++steps) {
    const Object cell = region.constructor(list);
    add_params(region, region.field(cell, 0), found);
    list = region.field(cell, 1);
  }
}

/// Adds the names that the levels in a type determine.
void add_params_of_type(Expressions& expressions, Ref type, std::vector<Ref>& found, int& steps) {
  if (++steps > kMaxShapeSteps) return;
  const Expr node = expressions.at(type);
  const auto field = [&](std::size_t i) { return expressions.field(node, i); };
  const auto inside = [&](std::size_t i) { add_params_of_type(expressions, field(i), found, steps); };
  switch (node.kind) {
    case ExprKind::Sort:
      add_params(expressions.region(), field(0), found);
      break;
    case ExprKind::Const:
      add_params_of_list(expressions.region(), field(1), found);
      break;
    case ExprKind::App:
      inside(0), inside(1);
      break;
    case ExprKind::Lam:
    case ExprKind::Forall:
      inside(1), inside(2);
      break;
    default:
      break;
  }
}

}  // namespace

const ConstantShape* ConstantShapes::find(SetModule& module, Ref name) {
  const auto [known, fresh] = known_.try_emplace(key_of(module, name));
  if (fresh)
    if (const auto id = set_.find(known->first)) known->second = read(*id);
  return known->second ? &*known->second : nullptr;
}

ConstantShape ConstantShapes::read(ConstantId id) {
  ConstantShape shape;
  shape.id = id;
  shape.module = set_.constants()[id].module;
  shape.name = name_of_key(set_.key(id));
  Expressions& expressions = shape.module->expressions;
  const ConstantInfo info = set_.info(id);
  const ExtensionFacts& facts = set_.facts(id);
  shape.is_project = is_project_(*shape.module);
  shape.is_instance = facts.instances.contains(info.name) && !facts.scoped_instances.contains(info.name);
  shape.is_class = facts.classes.contains(info.name);
  std::vector<Ref> known_levels;
  Ref type = info.type;
  for (Expr node = expressions.at(type);
       node.kind == ExprKind::Forall && shape.binders.size() < kMaxShownBinders;
       node = expressions.at(type)) {
    ConstantShape::Binder binder;
    binder.type = expressions.field(node, 1);
    binder.info = expressions.binder(node);
    if (binder.info == BinderInfo::Instance)
      out_params(*shape.module, binder.type, shape.binders.size(), binder.determines);
    else
      rigid(expressions, binder.type, shape.binders.size(), binder.determines);
    int steps = 0;
    add_params_of_type(expressions, binder.type, known_levels, steps);
    shape.binders.push_back(std::move(binder));
    type = expressions.field(node, 2);
  }
  shape.result = type;
  Region& region = shape.module->region;
  Ref list = region.field(region.constructor(info.common), 1);
  for (std::size_t i = 0; !is_boxed(list) && i < kMaxLevelSteps; ++i) {
    const Object cell = region.constructor(list);
    shape.level_params.push_back(region.field(cell, 0));
    list = region.field(cell, 1);
  }
  const auto is_known = [&](Ref param) {
    const std::string key = key_of(*shape.module, param);
    return std::ranges::any_of(known_levels, [&](Ref known) { return key_of(*shape.module, known) == key; });
  };
  shape.has_free_level = !std::ranges::all_of(shape.level_params, is_known) || !is_boxed(list);
  return shape;
}

void ConstantShapes::rigid(Expressions& expressions, Ref type, std::size_t before,
                           std::vector<std::size_t>& found) {
  struct Part {
    Ref ref;
    std::size_t depth;
  };
  std::vector<Part> todo = {{type, 0}};
  for (int steps = 0; !todo.empty() && steps < kMaxShapeSteps; ++steps) {
    const Part part = todo.back();
    todo.pop_back();
    const Expr node = expressions.at(part.ref);
    const auto field = [&](std::size_t i) { return expressions.field(node, i); };
    switch (node.kind) {
      case ExprKind::Bvar: {
        const std::uint64_t index = unboxed(field(0));
        if (index >= part.depth && index - part.depth < before)
          found.push_back(before - 1 - (index - part.depth));
        break;
      }
      case ExprKind::App: {
        std::vector<Ref> arguments;
        // The head and the arguments follow from the whole only if the head is a constant.
        if (expressions.at(expressions.head(part.ref, arguments)).kind == ExprKind::Const)
          for (const Ref argument : arguments) todo.push_back({argument, part.depth});
        break;
      }
      case ExprKind::Forall:
        todo.push_back({field(1), part.depth});
        todo.push_back({field(2), part.depth + 1});
        break;
      default:
        break;
    }
  }
}

void ConstantShapes::out_params(SetModule& module, Ref type, std::size_t before,
                                std::vector<std::size_t>& found) {
  Expressions& expressions = module.expressions;
  std::vector<Ref> arguments;
  const Expr head = expressions.at(expressions.head(type, arguments));
  if (head.kind != ExprKind::Const) return;
  const auto id = set_.find(key_of(module, expressions.field(head, 0)));
  if (!id) return;
  Expressions& of_class = set_.constants()[*id].module->expressions;
  Ref binders = set_.info(*id).type;
  for (const Ref argument : arguments) {
    const Expr node = of_class.at(binders);
    if (node.kind != ExprKind::Forall) return;
    binders = of_class.field(node, 2);
    std::vector<Ref> ignored;
    const Ref marker = of_class.constant(of_class.head(of_class.field(node, 1), ignored));
    if (is_boxed(marker) || of_class.names().at(marker).text != "outParam") continue;
    rigid(expressions, argument, before, found);
  }
}

}  // namespace leanbridge::statement
