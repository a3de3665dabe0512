#include "holes.hpp"

#include "core/text/missing_proofs.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <vector>

namespace leanbridge::certify {

using olean::ConstantId;
using olean::ConstantInfo;
using olean::ConstantReader;
using olean::constants_in;
using olean::InfoKind;
using olean::parts_of;
using olean::Term;
using olean::TermId;
using olean::TermKind;
using olean::TermTable;

using olean::ConstantId;
using olean::ConstantInfo;
using olean::InfoKind;

namespace {

/// Numerals and truth values: proper answers for a hole, even if the statement contains the same one.
constexpr auto kPlainAnswers =
    std::to_array<std::string_view>({"True", "False", "Bool.true", "Bool.false", "OfNat.ofNat"});

/// The terms of the solution, compared without regard to the depth at which a variable is bound.
class Fillings {
 public:
  explicit Fillings(olean::ModuleSet& solution) : solution_(solution), reader_(terms_, solution) {}

  /// A hole whose value repeats the other side of an equation or equivalence in the theorem, which makes the
  /// theorem true by reflexivity, whatever it means.
  std::optional<std::string> repeated(ConstantId theorem, const std::set<std::string>& holes) {
    const auto read = reader_.read(theorem);
    if (!read) return std::nullopt;
    const auto sides = sides_of(read->type);
    if (sides.empty()) return std::nullopt;
    const auto mentions_hole = [&](TermId term) {
      const auto mentioned = constants_in(terms_, term);
      return std::any_of(mentioned.begin(), mentioned.end(),
                         [&](const std::string& key) { return holes.contains(key); });
    };
    for (std::size_t i = 0; i < 2; ++i) {
      if (mentions_hole(sides[i]) || !mentions_hole(sides[1 - i]) || is_plain(sides[i])) continue;
      for (const std::string& hole : holes)
        if (contains(hole, sides[i])) return hole;
    }
    return std::nullopt;
  }

 private:
  /// The two sides of the statement's conclusion; empty if it has no sides.
  std::vector<TermId> sides_of(TermId type) const {
    while (terms_.at(type).kind == TermKind::Forall) type = terms_.at(type).b;
    std::vector<TermId> arguments;  // the last argument comes first
    for (; terms_.at(type).kind == TermKind::App; type = terms_.at(type).a)
      arguments.push_back(terms_.at(type).b);
    const bool is_iff = is_constant(type, "Iff") && arguments.size() == 2;
    if (!is_iff && !(is_constant(type, "Eq") && arguments.size() == 3)) return {};
    return {arguments[0], arguments[1]};
  }

  bool is_constant(TermId id, std::string_view name) const {
    const Term& term = terms_.at(id);
    return term.kind == TermKind::Const && terms_.text(term.a) == olean::key_of(name);
  }

  bool is_plain(TermId id) const {
    while (terms_.at(id).kind == TermKind::App) id = terms_.at(id).a;
    const TermKind kind = terms_.at(id).kind;
    return kind == TermKind::Number || kind == TermKind::Text || kind == TermKind::Bvar ||
           std::any_of(kPlainAnswers.begin(), kPlainAnswers.end(),
                       [&](std::string_view name) { return is_constant(id, name); });
  }

  /// Whether the value of the hole, or of a definition of the solution that it depends on, contains this
  /// part.
  bool contains(const std::string& hole, TermId part) {
    std::set<std::string> seen = {hole};
    std::vector<std::string> todo = {hole};
    while (!todo.empty()) {
      const auto id = solution_.find(todo.back());
      todo.pop_back();
      if (!id || !solution_.is_own(*id)) continue;
      const auto read = reader_.read(*id);
      if (!read || !read->value) continue;
      if (has_part(*read->value, part)) return true;
      for (const std::string& key : constants_in(terms_, *read->value))
        if (seen.insert(key).second) todo.push_back(key);
    }
    return false;
  }

  bool has_part(TermId whole, TermId part) {
    const TermId wanted = levelled(part);
    std::unordered_set<TermId> seen;
    std::vector<TermId> todo = {levelled(whole)};
    while (!todo.empty()) {
      const TermId next = todo.back();
      todo.pop_back();
      if (next == wanted) return true;
      if (!seen.insert(next).second) continue;
      const Term& term = terms_.at(next);
      const TermId parts[] = {term.a, term.b, term.c};
      const std::string_view kinds = parts_of(term.kind);
      for (std::size_t i = 0; i < kinds.size(); ++i)
        if (kinds[i] == 't') todo.push_back(parts[i]);
    }
    return false;
  }

  /// The same term with all bound variables and binder brackets made equal. The parts of a term precede it in
  /// the table.
  TermId levelled(TermId id) {
    while (levelled_.size() <= id) {
      Term term = terms_.at(static_cast<TermId>(levelled_.size()));
      term.binder = olean::BinderInfo::Explicit;
      if (term.kind == TermKind::Bvar) term.a = terms_.add_text("0");
      TermId* const parts[] = {&term.a, &term.b, &term.c};
      const std::string_view kinds = parts_of(term.kind);
      for (std::size_t i = 0; i < kinds.size(); ++i)
        if (kinds[i] == 't') *parts[i] = levelled_[*parts[i]];
      levelled_.push_back(terms_.add(term));
    }
    return levelled_[id];
  }

  olean::ModuleSet& solution_;
  TermTable terms_;
  ConstantReader reader_;
  std::vector<TermId> levelled_;  // by TermId
};

}  // namespace

std::set<std::string> open_definitions(olean::ModuleSet& challenge) {
  olean::SetModule& module = *challenge.modules().front();
  olean::Expressions& expressions = module.expressions;
  std::set<std::string> keys;
  for (ConstantId id = 0; id < challenge.own_constants(); ++id) {
    const ConstantInfo info = challenge.info(id);
    if (info.kind != InfoKind::Definition || info.is_unsafe || info.is_partial || !info.value) continue;
    olean::Ref value = *info.value;
    for (olean::Expr node = expressions.at(value); node.kind == olean::ExprKind::Lam;
         node = expressions.at(value))
      value = expressions.field(node, 2);
    std::vector<olean::Ref> arguments;
    const olean::Ref name = expressions.constant(expressions.head(value, arguments));
    if (name != olean::kBoxedZero && olean::key_of(module, name) == olean::key_of(text::kSorryAxiom))
      keys.insert(challenge.key(id));
  }
  return keys;
}

std::optional<std::string> objection_to_filling(olean::ModuleSet& solution, ConstantId theorem,
                                                const std::set<std::string>& holes) {
  // If code is not compiled from the value, the code that runs differs from the text that is read. Lean
  // itself puts such code in place of partial functions, which are opaque.
  olean::SetModule& module = *solution.modules().front();
  std::set<std::string> replaced;
  for (const olean::Ref name : solution.facts(theorem).replaced)
    if (const auto id = solution.find(olean::key_of(module, name));
        !id || !solution.is_own(*id) || solution.info(*id).kind == InfoKind::Definition)
      replaced.insert(olean::key_of(module, name));
  if (!replaced.empty())
    return "`" + olean::name_of_key(*replaced.begin()) +
           "` runs other code than its value (`implemented_by`, `extern`), so what a hole computes cannot "
           "be read.";
  if (const auto hole = Fillings(solution).repeated(theorem, holes))
    return "The value of `" + olean::name_of_key(*hole) +
           "` repeats the other side of the statement that it is to answer.";
  return std::nullopt;
}

}  // namespace leanbridge::certify
