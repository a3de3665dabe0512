#include "comparison.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace leanbridge::olean {

using olean::ConstantId;
using olean::ConstantInfo;
using olean::InfoKind;
using olean::Object;
using olean::Ref;

namespace {

constexpr std::size_t kMaxPairs = 20'000'000;
constexpr std::size_t kMaxNames = 100'000;

/// Lean numbers these constants, so a declaration added above can change their names. Their contents are
/// compared instead, since anybody can declare such a name. A definition that others read, or a type, keeps
/// its name.
bool is_auxiliary(const std::string& key) {
  std::string_view rest = key;
  if (!rest.empty()) rest.remove_suffix(1);
  const std::size_t begin = rest.rfind('\x01') + 1;  // npos + 1 is 0
  return begin > 0 && olean::is_internal(rest.substr(begin));
}

std::string with_article(InfoKind kind) {
  const std::string word(olean::keyword(kind));
  return (word.starts_with('a') || word.starts_with('i') || word.starts_with('o') ? "an " : "a ") + word;
}

}  // namespace

std::string quoted(const std::string& key) {
  return "`" + name_of_key(key) + "`";
}

std::string renamed_key(const std::map<std::string, std::string>& renamed, const std::string& key) {
  for (const auto& [old_key, new_key] : renamed)
    if (key.starts_with(old_key)) return new_key + key.substr(old_key.size());
  return key;
}

Comparison::Comparison(olean::ModuleSet& challenge, olean::ModuleSet& solution, std::set<std::string> holes,
                       std::map<std::string, std::string> renamed)
    : challenge_{challenge, ConstantReader(terms_, challenge)},
      solution_{solution, ConstantReader(terms_, solution)},
      holes_(std::move(holes)),
      renamed_(std::move(renamed)) {}

std::optional<std::string> Comparison::difference(const std::string& key, std::set<std::string>* filled) {
  return first_difference(key, {{key, key}}, filled);
}

std::optional<std::string> Comparison::own_difference(const std::string& key, const std::string& other,
                                                      Parts parts) {
  const auto left = challenge_.reader.read(challenge_.set.find(key).value());
  const auto right = solution_.reader.read(solution_.set.find(other).value());
  if (!left || !right) return "cannot be read";
  ignores_places_of_sorries_ = true;
  Local result;
  if (parts == Parts::All) {
    result = local({key, other});
  } else if (left->level_params.size() != right->level_params.size()) {
    return "has other universe parameters";
  } else {
    const TermId before = left->type, after = right->type;
    compare_terms(*left, *right, before, after, "type", result);
  }
  std::set<KeyPair> seen{{key, other}};
  while (!result.difference && !result.depends_on.empty()) {
    const KeyPair next = std::move(result.depends_on.back());
    result.depends_on.pop_back();
    if (!is_auxiliary(next.first) || !is_auxiliary(next.second) || !seen.insert(next).second) continue;
    const Local& made_up = local(next);
    if (made_up.difference)
      result.difference = "depends on " + quoted(next.first) + ", which " + *made_up.difference;
    result.depends_on.insert(result.depends_on.end(), made_up.depends_on.begin(), made_up.depends_on.end());
  }
  return result.difference;
}

std::optional<std::string> Comparison::difference_from_negation(const std::string& key,
                                                                const std::string& negated) {
  const std::string not_key = olean::key_of("Not");
  const auto library_not = challenge_.set.find(not_key);
  if (!library_not || challenge_.set.is_own(*library_not)) return "the challenge does not import `Not`";
  const auto left = challenge_.reader.read(challenge_.set.find(key).value());
  const auto right = solution_.reader.read(solution_.set.find(negated).value());
  if (!left || !right) return "it cannot be read";
  if (left->level_params.size() != right->level_params.size())
    return "it has " + std::to_string(right->level_params.size()) + " universe parameters, the theorem " +
           std::to_string(left->level_params.size());
  const Term& type = terms_.at(right->type);
  const bool is_negation = type.kind == TermKind::App && terms_.at(type.a).kind == TermKind::Const &&
                           terms_.text(terms_.at(type.a).a) == not_key;
  if (!is_negation) return "it is not stated as `¬ (…)`";
  Local result;
  compare_terms(*left, *right, left->type, type.b, "statement", result);
  if (result.difference) return "what it negates " + *result.difference;
  result.depends_on.emplace_back(not_key, not_key);
  return first_difference(key, std::move(result.depends_on), nullptr);
}

std::optional<std::string> Comparison::first_difference(const std::string& about, std::vector<KeyPair> todo,
                                                        std::set<std::string>* filled) {
  std::set<KeyPair> seen;
  while (!todo.empty()) {
    const KeyPair next = std::move(todo.back());
    todo.pop_back();
    if (!seen.insert(next).second) continue;
    const Local& result = local(next);
    if (result.difference) {
      if (next.first == about) return "it " + *result.difference;
      return quoted(next.first) + ", on which it depends, " + *result.difference;
    }
    if (is_hole(next)) {
      if (filled == nullptr)
        return quoted(next.first) + ", on which it depends, is left open by the challenge";
      filled->insert(next.first);
    }
    todo.insert(todo.end(), result.depends_on.begin(), result.depends_on.end());
  }
  return std::nullopt;
}

void Comparison::read_solution() {
  olean::Region& region = solution_.set.modules().front()->region;
  TermReader& terms = solution_.reader.terms_of(*solution_.set.modules().front());
  for (ConstantId id = 0; id < solution_.set.own_constants() && region.damage().empty(); ++id) {
    const ConstantInfo info = solution_.set.info(id);
    const auto read_closed = [&](Ref ref) {
      const auto term = terms.expression(ref);
      if (term && terms_.facts(*term).loose > 0) region.damaged("nothing binds a variable of a term", ref);
    };
    read_closed(info.type);
    if (info.value) read_closed(*info.value);
    std::size_t rules = 0;
    for (Ref list = info.rules.value_or(olean::kBoxedZero); !olean::is_boxed(list) && ++rules < kMaxNames;) {
      const Object cell = region.constructor(list);
      read_closed(region.field(region.constructor(region.field(cell, 0)), 2));
      list = region.field(cell, 1);
    }
  }
}

const Comparison::Local& Comparison::local(const KeyPair& keys) {
  if (const auto known = known_.find(keys); known != known_.end()) return known->second;
  return known_.emplace(keys, compare(keys)).first->second;
}

Comparison::Local Comparison::compare(const KeyPair& keys) {
  const auto failed = [](std::string what) { return Local{std::move(what), {}}; };
  const auto left_id = challenge_.set.find(keys.first);
  const auto right_id = solution_.set.find(keys.second);
  if (!left_id) return failed("does not exist in the challenge");
  if (!right_id) return failed("does not exist in the solution");
  // An imported constant may be compared by its name only if both sides use the same name. Under another
  // name, its contents are compared, imported or not.
  if (keys.first == keys.second && !(challenge_.set.is_own(*left_id) && solution_.set.is_own(*right_id)))
    return compare_origins(*left_id, *right_id);
  return compare_contents(keys, *left_id, *right_id);
}

// Compares a constant that has one name and that at least one side imports.
Comparison::Local Comparison::compare_origins(ConstantId left, ConstantId right) const {
  const bool left_own = challenge_.set.is_own(left), right_own = solution_.set.is_own(right);
  const std::string& left_module = challenge_.set.constants()[left].module->name;
  const std::string& right_module = solution_.set.constants()[right].module->name;
  if (right_own) return {"is declared in the solution; in the challenge it comes from " + left_module, {}};
  if (left_own) return {"comes from " + right_module + "; the challenge declares it", {}};
  if (left_module == right_module) return {};
  return {"comes from " + right_module + ", in the challenge from " + left_module, {}};
}

std::string Comparison::different_shape(const KeyPair& keys, const ConstantTerms& left,
                                        const ConstantTerms& right) const {
  if (left.kind != right.kind)
    return "is " + with_article(right.kind) + ", in the challenge " + with_article(left.kind);
  if (left.is_unsafe != right.is_unsafe) return right.is_unsafe ? "is unsafe" : "is not unsafe";
  if (left.is_partial != right.is_partial) return right.is_partial ? "is partial" : "is not partial";
  if (left.level_params.size() != right.level_params.size())
    return "has " + std::to_string(right.level_params.size()) + " universe parameters, in the challenge " +
           std::to_string(left.level_params.size());
  if (left.numbers != right.numbers || left.names.size() != right.names.size() ||
      left.rules.size() != right.rules.size() || left.value.has_value() != right.value.has_value())
    return "is built differently";
  const bool may_be_renamed = left.kind == InfoKind::Definition || left.kind == InfoKind::Theorem ||
                              renamed_key(renamed_, keys.first) == keys.second;
  return keys.first == keys.second || may_be_renamed ? "" : "has another name";
}

Comparison::Local Comparison::compare_contents(const KeyPair& keys, ConstantId left_id, ConstantId right_id) {
  const auto left = challenge_.reader.read(left_id);
  const auto right = solution_.reader.read(right_id);
  if (!left || !right) return {"cannot be read", {}};
  if (std::string other = different_shape(keys, *left, *right); !other.empty()) return {std::move(other), {}};

  Local result;
  compare_terms(*left, *right, left->type, right->type, "type", result);
  if (left->value && !is_hole(keys))
    compare_terms(*left, *right, *left->value, *right->value, "value", result);
  for (std::size_t i = 0; i < left->rules.size(); ++i)
    compare_terms(*left, *right, left->rules[i], right->rules[i], "recursion rule", result);
  for (std::size_t i = 0; i < left->names.size() && !result.difference; ++i)
    if (const auto other = compare_names(left->names[i], right->names[i], result))
      result.difference = "belongs together with other constants: " + *other;
  // The rules of a type's recursor follow from the type, but proofs use the recursor in the file.
  if (left->kind == InfoKind::Inductive) {
    const KeyPair recursors{keys.first + "rec\x01", keys.second + "rec\x01"};
    if (challenge_.set.find(recursors.first) || solution_.set.find(recursors.second))
      result.depends_on.push_back(recursors);
  }
  if (result.difference) result.depends_on.clear();
  return result;
}

// The type that a sorry stands for; nullopt: the term is not a sorry, or sorries are not ignored.
std::optional<TermId> Comparison::type_of_sorry(TermId term) const {
  if (!ignores_places_of_sorries_) return std::nullopt;
  std::optional<TermId> first;  // the first argument
  for (; terms_.at(term).kind == TermKind::App; term = terms_.at(term).a) first = terms_.at(term).b;
  const Term& head = terms_.at(term);
  return head.kind == TermKind::Const && terms_.text(head.a) == sorry_ ? first : std::nullopt;
}

// Treats a pair of names as equal for now; their constants are compared later.
std::optional<std::string> Comparison::compare_names(TermId a, TermId b, Local& result) const {
  const std::string& left = terms_.text(a);
  const std::string& right = terms_.text(b);
  if (!(a == b && !renamed_.contains(left)) && renamed_key(renamed_, left) != right &&
      !(is_auxiliary(left) && is_auxiliary(right)))
    return quoted(right) + " instead of " + quoted(left);
  result.depends_on.emplace_back(left, right);
  return std::nullopt;
}

void Comparison::compare_terms(const ConstantTerms& left, const ConstantTerms& right, TermId a, TermId b,
                               const char* part, Local& result) {
  if (result.difference) return;
  const auto differs = [&](const std::string& how) {
    result.difference = "has another " + std::string(part) + (how.empty() ? "" : ": " + how);
  };
  const auto position = [](const std::vector<TermId>& params, TermId name) {
    return std::ranges::find(params, name) - params.begin();
  };
  std::unordered_set<std::uint64_t> seen;
  std::vector<std::pair<TermId, TermId>> todo{{a, b}};
  while (!todo.empty()) {
    const auto [x, y] = todo.back();
    todo.pop_back();
    if (!seen.insert(std::uint64_t{x} << 32U | y).second) continue;
    if (seen.size() > kMaxPairs) return differs("it is too large to be compared");
    const Term& p = terms_.at(x);
    const Term& q = terms_.at(y);
    if (p.kind != q.kind) return differs("");
    switch (p.kind) {
      case TermKind::Zero:
      case TermKind::NoLevels:
        break;
      case TermKind::Param: {
        const auto at = position(left.level_params, p.a);
        if (at != position(right.level_params, q.a)) return differs("other universes");
        if (at == std::ssize(left.level_params) && p.a != q.a) return differs("other universes");
        break;
      }
      case TermKind::Succ:
      case TermKind::Sort:
        todo.emplace_back(p.a, q.a);
        break;
      case TermKind::Max:
      case TermKind::Imax:
      case TermKind::Levels:
      case TermKind::App:
        if (const auto of_left = type_of_sorry(x), of_right = type_of_sorry(y); of_left && of_right)
          todo.emplace_back(*of_left, *of_right);
        else
          todo.insert(todo.end(), {{p.b, q.b}, {p.a, q.a}});
        break;
      case TermKind::Lam:
      case TermKind::Forall:
        if (p.binder != q.binder) return differs("other brackets around a variable");
        todo.insert(todo.end(), {{p.b, q.b}, {p.a, q.a}});
        break;
      case TermKind::Let:
        todo.insert(todo.end(), {{p.c, q.c}, {p.b, q.b}, {p.a, q.a}});
        break;
      case TermKind::Bvar:
        if (p.a != q.a) return differs("");
        break;
      case TermKind::Number:
        if (p.a != q.a) {
          const bool small = !terms_.text(p.a).starts_with('#') && !terms_.text(q.a).starts_with('#');
          return differs(small ? terms_.text(q.a) + " instead of " + terms_.text(p.a) : "another number");
        }
        break;
      case TermKind::Text:
        if (p.a != q.a) return differs("another string");
        break;
      case TermKind::Const:
        if (const auto other = compare_names(p.a, q.a, result)) return differs(*other);
        todo.emplace_back(p.b, q.b);
        break;
      case TermKind::Proj:
        if (const auto other = compare_names(p.a, q.a, result)) return differs(*other);
        if (p.b != q.b) return differs("another field");
        todo.emplace_back(p.c, q.c);
        break;
    }
  }
}

}  // namespace leanbridge::olean
