#include "terms.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace leanbridge::olean {

using olean::ExprKind;
using olean::Object;
using olean::Ref;

namespace {

/// Lean.Literal.
enum LiteralKind : unsigned { kNaturalLiteral = 0, kStringLiteral = 1 };

constexpr std::size_t kMaxLevels = 10'000;
constexpr std::size_t kNameBytesPerByte = 8;

}  // namespace

std::string_view parts_of(TermKind kind) {
  switch (kind) {
    case TermKind::Zero:
    case TermKind::NoLevels:
      return "";
    case TermKind::Succ:
    case TermKind::Sort:
      return "t";
    case TermKind::Param:
    case TermKind::Bvar:
    case TermKind::Number:
    case TermKind::Text:
      return "x";
    case TermKind::Max:
    case TermKind::Imax:
    case TermKind::Levels:
    case TermKind::App:
    case TermKind::Lam:
    case TermKind::Forall:
      return "tt";
    case TermKind::Const:
      return "xt";
    case TermKind::Let:
      return "ttt";
    case TermKind::Proj:
      return "xxt";
  }
  return "";
}

// --- the table

std::size_t TermTable::Hash::operator()(const Term& term) const {
  std::uint64_t hash = static_cast<std::uint64_t>(term.kind) << 8U | static_cast<std::uint64_t>(term.binder);
  for (const TermId part : {term.a, term.b, term.c}) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
  }
  return hash;
}

TermId TermTable::add(const Term& term) {
  const auto [known, fresh] = known_.try_emplace(term, static_cast<TermId>(terms_.size()));
  if (fresh) {
    terms_.push_back(term);
    facts_.push_back(facts_of(term));
  }
  return known->second;
}

TermFacts TermTable::facts_of(const Term& term) const {
  const auto params_in = [&](TermId part) { return facts_[part].has_params; };
  const auto loose_in = [&](TermId part) { return facts_[part].loose; };
  const auto below_binder = [&](TermId part) { return loose_in(part) == 0 ? 0 : loose_in(part) - 1; };
  switch (term.kind) {
    case TermKind::Zero:
    case TermKind::NoLevels:
    case TermKind::Number:
    case TermKind::Text:
      return {};
    case TermKind::Param:
      return {0, true};
    case TermKind::Succ:
    case TermKind::Sort:
      return {0, params_in(term.a)};
    case TermKind::Max:
    case TermKind::Imax:
    case TermKind::Levels:
      return {0, params_in(term.a) || params_in(term.b)};
    case TermKind::Const:
      return {0, params_in(term.b)};
    case TermKind::Bvar: {
      std::uint32_t index = std::numeric_limits<std::uint32_t>::max() - 1;  // larger than any index in a file
      const std::string& digits = text(term.a);
      std::from_chars(digits.data(), digits.data() + digits.size(), index);
      return {index + 1, false};
    }
    case TermKind::App:
      return {std::max(loose_in(term.a), loose_in(term.b)), params_in(term.a) || params_in(term.b)};
    case TermKind::Lam:
    case TermKind::Forall:
      return {std::max(loose_in(term.a), below_binder(term.b)), params_in(term.a) || params_in(term.b)};
    case TermKind::Let:
      return {std::max({loose_in(term.a), loose_in(term.b), below_binder(term.c)}),
              params_in(term.a) || params_in(term.b) || params_in(term.c)};
    case TermKind::Proj:
      return facts_[term.c];
  }
  return {};
}

TermId TermTable::add_text(std::string text) {
  const auto [known, fresh] = known_texts_.try_emplace(std::move(text), static_cast<TermId>(texts_.size()));
  if (fresh) texts_.push_back(&known->first);
  return known->second;
}

std::vector<std::string> constants_in(const TermTable& terms, TermId id) {
  std::vector<std::string> keys;
  std::unordered_set<TermId> seen, texts;
  std::vector<TermId> todo = {id};
  while (!todo.empty()) {
    const TermId next = todo.back();
    todo.pop_back();
    if (!seen.insert(next).second) continue;
    const Term& term = terms.at(next);
    const bool mentions = term.kind == TermKind::Const || term.kind == TermKind::Proj;
    if (mentions && texts.insert(term.a).second) keys.push_back(terms.text(term.a));
    const TermId parts[] = {term.a, term.b, term.c};
    const std::string_view kinds = parts_of(term.kind);
    for (std::size_t i = kinds.size(); i > 0; --i)
      if (kinds[i - 1] == 't') todo.push_back(parts[i - 1]);
  }
  return keys;
}

// --- reading

std::optional<TermId> TermReader::expression(Ref ref) {
  // Reads parts before wholes, without recursion: a file may nest as deeply as it is long.
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
      // An object that is read both as a level and as an expression is damage: Lean never writes one.
      if (!begun.insert(item.first).second) {
        module_.region.damaged("a term contains itself", item.first);
        return std::nullopt;
      }
      todo.insert(todo.end(), missing.begin(), missing.end());
      continue;
    }
    const TermId id = terms_.add(built(item));
    known_here.emplace(item.first, id);
    check_facts(item, terms_.facts(id));
    if (!module_.region.damage().empty()) return std::nullopt;
    todo.pop_back();
  }
  return expressions_.at(ref);
}

void TermReader::check_facts(const Item& item, const TermFacts& facts) {
  olean::Region& region = module_.region;
  // Lean's Level.data has a hash (32 bits), whether there are metavariables and parameters (a bit each), and
  // a depth. Expr.data has a hash (32 bits), a depth (8), whether there are free variables, metavariables of
  // both kinds and parameters (a bit each), and the loose variables (20). Sources: Lean's
  // src/Lean/Level.lean, src/Lean/Expr.lean.
  const auto data_of = [&](const Object& object) {
    std::uint64_t data = 0;
    if (object.scalars.size() < 8) region.damaged("a term has no stored facts", item.first);
    for (std::size_t i = 0; i < 8 && i < object.scalars.size(); ++i)
      data |= std::uint64_t{static_cast<unsigned char>(object.scalars[i])} << (8 * i);
    return data;
  };
  const std::uint64_t params = facts.has_params ? 1 : 0;
  bool right = true;
  if (item.second == Sort::Level) {
    if (!olean::is_boxed(item.first))
      right = (data_of(region.constructor(item.first)) >> 32U & 3U) == params << 1U;
  } else {
    Ref at = item.first;
    for (Object node = region.constructor(at);; node = region.constructor(at)) {
      right = right && data_of(node) >> 40U == (std::uint64_t{facts.loose} << 4U | params << 3U);
      if (node.tag != static_cast<unsigned>(ExprKind::Mdata)) break;
      at = region.field(node, 1);
    }
  }
  if (!right) region.damaged("a term is stored with wrong facts about it", item.first);
}

std::vector<TermReader::Item> TermReader::parts_of(const Item& item) {
  olean::Region& region = module_.region;
  if (item.second == Sort::Level) {
    if (olean::is_boxed(item.first)) {
      if (item.first != olean::kBoxedZero) region.damaged("a universe level is missing", item.first);
      return {};
    }
    const Object level = region.constructor(item.first);
    switch (level.tag) {
      case kLevelSucc:
        return {{region.field(level, 0), Sort::Level}};
      case kLevelMax:
      case kLevelImax:
        return {{region.field(level, 0), Sort::Level}, {region.field(level, 1), Sort::Level}};
      case kLevelParam:
        return {};
      default:
        region.damaged("a universe level is missing", item.first);
        return {};
    }
  }
  const olean::Expr node = module_.expressions.at(item.first);
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
  return item.second == Sort::Level ? built_level(item.first) : built_expression(item.first);
}

Term TermReader::built_level(Ref ref) {
  Term term;
  if (is_boxed(ref)) return term;
  const Object level = module_.region.constructor(ref);
  const auto level_at = [&](std::size_t i) { return part(module_.region.field(level, i), Sort::Level); };
  if (level.tag == kLevelSucc) {
    term.kind = TermKind::Succ;
    term.a = level_at(0);
  } else if (level.tag == kLevelParam) {
    term.kind = TermKind::Param;
    term.a = name(module_.region.field(level, 0));
  } else {
    term.kind = level.tag == kLevelMax ? TermKind::Max : TermKind::Imax;
    term.a = level_at(0);
    term.b = level_at(1);
  }
  return term;
}

Term TermReader::built_expression(Ref ref) {
  const Expr node = module_.expressions.at(ref);
  const auto field = [&](std::size_t i) { return module_.expressions.field(node, i); };
  const auto expression_at = [&](std::size_t i) { return part(field(i), Sort::Expression); };
  switch (node.kind) {
    case ExprKind::Sort:
      return {.kind = TermKind::Sort, .a = part(field(0), Sort::Level)};
    case ExprKind::Const: {
      const TermId levels = built_levels(field(1));
      return {.kind = TermKind::Const, .a = name(field(0)), .b = levels};
    }
    case ExprKind::App:
      return {.kind = TermKind::App, .a = expression_at(0), .b = expression_at(1)};
    case ExprKind::Lam:
    case ExprKind::Forall: {
      Term term{.kind = node.kind == ExprKind::Lam ? TermKind::Lam : TermKind::Forall};
      term.binder = module_.expressions.binder(node);
      term.a = expression_at(1);
      term.b = expression_at(2);
      return term;
    }
    case ExprKind::Let:
      return {.kind = TermKind::Let, .a = expression_at(1), .b = expression_at(2), .c = expression_at(3)};
    case ExprKind::Proj:
      return {.kind = TermKind::Proj,
              .a = name(field(0)),
              .b = terms_.add_text(number(field(1))),
              .c = expression_at(2)};
    case ExprKind::Lit:
      return built_literal(field(0), ref);
    default:
      return {.kind = TermKind::Bvar, .a = terms_.add_text(number(field(0)))};
  }
}

TermId TermReader::built_levels(Ref ref) {
  const std::vector<Ref> levels = level_list(ref);
  TermId list = terms_.add({.kind = TermKind::NoLevels});
  for (auto level = levels.rbegin(); level != levels.rend(); ++level)
    list = terms_.add({.kind = TermKind::Levels, .a = part(*level, Sort::Level), .b = list});
  return list;
}

Term TermReader::built_literal(Ref ref, Ref term) {
  const Object literal = module_.region.constructor(ref);
  const Ref value = module_.region.field(literal, 0);
  if (literal.tag == kStringLiteral)
    return {.kind = TermKind::Text, .a = terms_.add_text(std::string(module_.region.string(value)))};
  if (literal.tag != kNaturalLiteral) module_.region.damaged("a literal is of an unknown kind", term);
  return {.kind = TermKind::Number, .a = terms_.add_text(number(value))};
}

std::vector<Ref> TermReader::level_list(Ref list) {
  std::vector<Ref> levels;
  while (!olean::is_boxed(list)) {
    const Object cell = module_.region.constructor(list);
    levels.push_back(module_.region.field(cell, 0));
    list = module_.region.field(cell, 1);
    if (levels.size() > kMaxLevels) {
      module_.region.damaged("a list of universe levels is too long", list);
      break;
    }
  }
  if (olean::is_boxed(list) && list != olean::kBoxedZero) module_.region.damaged("a list has no end", list);
  return levels;
}

std::string TermReader::number(Ref ref) {
  if (olean::is_boxed(ref)) return std::to_string(olean::unboxed(ref));
  const Object big = module_.region.object(ref);
  if (big.tag != Object::kBigNat) module_.region.damaged("a number is missing", ref);
  std::string limbs(big.data);
  while (!limbs.empty() && limbs.back() == '\0') limbs.pop_back();
  return "#" + limbs;  // differs from any decimal digits
}

TermId TermReader::name(Ref ref) {
  if (const auto known_name = names_.find(ref); known_name != names_.end()) return known_name->second;
  std::string key = olean::key_of(module_, ref);
  name_bytes_ += key.size();
  if (name_bytes_ > kNameBytesPerByte * module_.region.bytes())
    module_.region.damaged("more text in names than the file can hold", ref);
  return names_.emplace(ref, terms_.add_text(std::move(key))).first->second;
}

}  // namespace leanbridge::olean
