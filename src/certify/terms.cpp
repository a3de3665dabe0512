#include "terms.hpp"

namespace leanbridge::certify {

using index::ExprKind;
using index::Object;
using index::Ref;

namespace {

/// Lean.Level; zero is a boxed number.
enum LevelKind : unsigned { kSucc = 1, kMax = 2, kImax = 3, kParam = 4 };

/// Lean.Literal.
enum LiteralKind : unsigned { kNaturalLiteral = 0, kStringLiteral = 1 };

constexpr std::size_t kMaxLevels = 10'000;
constexpr std::size_t kNameBytesPerByte = 8;

}  // namespace

// --- the table

std::size_t Terms::Hash::operator()(const Term& term) const {
  std::uint64_t hash = static_cast<std::uint64_t>(term.kind) << 8U | static_cast<std::uint64_t>(term.binder);
  for (const TermId part : {term.a, term.b, term.c}) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
  }
  return hash;
}

TermId Terms::add(const Term& term) {
  const auto [known, fresh] = known_.try_emplace(term, static_cast<TermId>(terms_.size()));
  if (fresh) terms_.push_back(term);
  return known->second;
}

TermId Terms::add_text(std::string text) {
  const auto [known, fresh] = known_texts_.try_emplace(std::move(text), static_cast<TermId>(texts_.size()));
  if (fresh) texts_.push_back(&known->first);
  return known->second;
}

// --- reading

std::optional<TermId> TermReader::expression(Ref ref) {
  // Parts before wholes, without recursion: a file may nest as deeply as it is long.
  std::vector<Item> todo{{ref, Sort::Expression}};
  std::unordered_set<Ref> begun;
  while (!todo.empty()) {
    const Item item = todo.back();
    auto& known_here = known(item.second);
    if (known_here.contains(item.first)) {
      todo.pop_back();
      continue;
    }
    std::vector<Item> missing;
    for (const Item& part : parts_of(item))
      if (!known(part.second).contains(part.first)) missing.push_back(part);
    if (!module_.region.damage().empty()) return std::nullopt;
    if (!missing.empty()) {
      // Read as a level and as an expression, an object is two things; no honest file has that.
      if (!begun.insert(item.first).second) {
        module_.region.damaged("a term contains itself", item.first);
        return std::nullopt;
      }
      todo.insert(todo.end(), missing.begin(), missing.end());
      continue;
    }
    known_here.emplace(item.first, terms_.add(built(item)));
    if (!module_.region.damage().empty()) return std::nullopt;
    todo.pop_back();
  }
  return expressions_.at(ref);
}

std::vector<TermReader::Item> TermReader::parts_of(const Item& item) {
  index::Region& region = module_.region;
  if (item.second == Sort::Level) {
    if (index::is_boxed(item.first)) return {};
    const Object level = region.constructor(item.first);
    switch (level.tag) {
      case kSucc:
        return {{region.field(level, 0), Sort::Level}};
      case kMax:
      case kImax:
        return {{region.field(level, 0), Sort::Level}, {region.field(level, 1), Sort::Level}};
      case kParam:
        return {};
      default:
        region.damaged("a universe level is missing", item.first);
        return {};
    }
  }
  const index::Expr node = module_.expressions.at(item.first);
  const auto field = [&](std::size_t i) { return module_.expressions.field(node, i); };
  std::vector<Item> parts;
  switch (node.kind) {
    case ExprKind::Sort:
      return {{field(0), Sort::Level}};
    case ExprKind::Const:
      for (const Ref level : level_list(field(1))) parts.emplace_back(level, Sort::Level);
      return parts;
    case ExprKind::App:
      return {{field(0), Sort::Expression}, {field(1), Sort::Expression}};
    case ExprKind::Lam:
    case ExprKind::Forall:
      return {{field(1), Sort::Expression}, {field(2), Sort::Expression}};
    case ExprKind::Let:
      return {{field(1), Sort::Expression}, {field(2), Sort::Expression}, {field(3), Sort::Expression}};
    case ExprKind::Proj:
      return {{field(2), Sort::Expression}};
    case ExprKind::Bvar:
    case ExprKind::Lit:
      return {};
    default:
      region.damaged("a term has a free variable", item.first);
      return {};
  }
}

Term TermReader::built(const Item& item) {
  index::Region& region = module_.region;
  Term term;
  if (item.second == Sort::Level) {
    if (index::is_boxed(item.first)) return term;
    const Object level = region.constructor(item.first);
    const auto level_at = [&](std::size_t i) { return part(region.field(level, i), Sort::Level); };
    if (level.tag == kSucc) {
      term.kind = TermKind::Succ;
      term.a = level_at(0);
    } else if (level.tag == kParam) {
      term.kind = TermKind::Param;
      term.a = name(region.field(level, 0));
    } else {
      term.kind = level.tag == kMax ? TermKind::Max : TermKind::Imax;
      term.a = level_at(0);
      term.b = level_at(1);
    }
    return term;
  }
  const index::Expr node = module_.expressions.at(item.first);
  const auto field = [&](std::size_t i) { return module_.expressions.field(node, i); };
  const auto expression_at = [&](std::size_t i) { return part(field(i), Sort::Expression); };
  switch (node.kind) {
    case ExprKind::Sort:
      term.kind = TermKind::Sort;
      term.a = part(field(0), Sort::Level);
      break;
    case ExprKind::Const: {
      const std::vector<Ref> levels = level_list(field(1));
      TermId list = terms_.add({.kind = TermKind::NoLevels});
      for (auto level = levels.rbegin(); level != levels.rend(); ++level)
        list = terms_.add({.kind = TermKind::Levels, .a = part(*level, Sort::Level), .b = list});
      term.kind = TermKind::Const;
      term.a = name(field(0));
      term.b = list;
      break;
    }
    case ExprKind::App:
      term.kind = TermKind::App;
      term.a = expression_at(0);
      term.b = expression_at(1);
      break;
    case ExprKind::Lam:
    case ExprKind::Forall:
      term.kind = node.kind == ExprKind::Lam ? TermKind::Lam : TermKind::Forall;
      term.binder = module_.expressions.binder(node);
      term.a = expression_at(1);
      term.b = expression_at(2);
      break;
    case ExprKind::Let:
      term.kind = TermKind::Let;
      term.a = expression_at(1);
      term.b = expression_at(2);
      term.c = expression_at(3);
      break;
    case ExprKind::Proj:
      term.kind = TermKind::Proj;
      term.a = name(field(0));
      term.b = terms_.add_text(number(field(1)));
      term.c = expression_at(2);
      break;
    case ExprKind::Lit: {
      const Object literal = region.constructor(field(0));
      const Ref value = region.field(literal, 0);
      if (literal.tag == kStringLiteral) {
        term.kind = TermKind::Text;
        term.a = terms_.add_text(std::string(region.string(value)));
      } else {
        if (literal.tag != kNaturalLiteral) region.damaged("a literal is of an unknown kind", item.first);
        term.kind = TermKind::Number;
        term.a = terms_.add_text(number(value));
      }
      break;
    }
    default:
      term.kind = TermKind::Bvar;
      term.a = terms_.add_text(number(field(0)));
      break;
  }
  return term;
}

std::vector<Ref> TermReader::level_list(Ref list) {
  std::vector<Ref> levels;
  while (!index::is_boxed(list)) {
    const Object cell = module_.region.constructor(list);
    levels.push_back(module_.region.field(cell, 0));
    list = module_.region.field(cell, 1);
    if (levels.size() > kMaxLevels) {
      module_.region.damaged("a list of universe levels is too long", list);
      break;
    }
  }
  return levels;
}

std::string TermReader::number(Ref ref) {
  if (index::is_boxed(ref)) return std::to_string(index::unboxed(ref));
  const Object big = module_.region.object(ref);
  if (big.tag != Object::kBigNat) module_.region.damaged("a number is missing", ref);
  std::string limbs(big.data);
  while (!limbs.empty() && limbs.back() == '\0') limbs.pop_back();
  return "#" + limbs;  // never equal to decimal digits
}

TermId TermReader::name(Ref ref) {
  if (const auto known_name = names_.find(ref); known_name != names_.end()) return known_name->second;
  std::string key = index::key_of(module_, ref);
  name_bytes_ += key.size();
  if (name_bytes_ > kNameBytesPerByte * module_.region.bytes())
    module_.region.damaged("more text in names than the file can hold", ref);
  return names_.emplace(ref, terms_.add_text(std::move(key))).first->second;
}

}  // namespace leanbridge::certify
