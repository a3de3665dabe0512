#include "judge.hpp"

#include "certify/statement/statement_printer.hpp"
#include "core/base/try.hpp"
#include "core/lean/axioms.hpp"
#include "core/olean/comparison.hpp"
#include "core/olean/constant_reader.hpp"
#include "core/text/missing_proofs.hpp"
#include "core/text/word_list.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace leanbridge::certify {

using olean::Comparison;
using olean::ConstantId;
using olean::ConstantInfo;
using olean::ConstantReader;
using olean::constants_in;
using olean::InfoKind;
using olean::ModuleSet;
using olean::parts_of;
using olean::SetModule;
using olean::Term;
using olean::TermId;
using olean::TermKind;
using olean::TermTable;

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
      return std::ranges::any_of(mentioned, [&](const std::string& key) { return holes.contains(key); });
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
           std::ranges::any_of(kPlainAnswers, [&](std::string_view name) { return is_constant(id, name); });
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

/// The keys of the challenge's own definitions that are marked as open: behind its parameters, the value is
/// sorry alone.
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

/// Why the way in which these holes are filled is unacceptable, as a sentence. nullopt: their values can be
/// read. `theorem` is the solution's, and rests on them.
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

constexpr std::size_t kMaxShownNames = 20;

/// Last components of the names of theorems that Lean or an attribute generates for a type, a constructor or
/// a function.
constexpr auto kGenerated = std::to_array<std::string_view>(
    {"inj", "injEq", "sizeOf_spec", "eq_def", "eq_unfold", "induct", "induct_unfolding", "fun_cases",
     "fun_cases_unfolding", "mutual_induct", "congr_simp", "hinj", "noConfusion", "partial_correctness",
     "fixpoint_induct", "ndrec", "elim"});

/// Constants that the kernel treats specially, whatever their definitions are, and their dependencies (Lean's
/// src/kernel/type_checker.cpp, inductive.cpp and quot.cpp). A solution that declares its own can prove
/// anything.
// clang-format off
constexpr std::string_view kPrimitives[] = {
    "Nat", "Nat.zero", "Nat.succ", "Nat.add", "Nat.sub", "Nat.mul", "Nat.div", "Nat.mod", "Nat.gcd", "Nat.beq",
    "Nat.ble", "Nat.land", "Nat.lor", "Nat.xor", "Nat.shiftLeft", "Nat.shiftRight", "Nat.pow", "Nat.log2", "Nat.pred",
    "Bool", "Bool.false", "Bool.true", "String", "String.mk", "String.ofList", "Char", "Char.ofNat", "Char.mk",
    "List", "List.nil", "List.cons", "UInt32", "Eq", "Eq.refl", "Quot", "Quot.mk", "Quot.lift", "Quot.ind",
    "Lean.reduceBool", "Lean.reduceNat", "eagerReduce"};
// clang-format on

std::string in_quotes(const std::string& name) {
  return "`" + name + "`";
}

/// The names that have a place in the source, which a person wrote.
std::set<std::string> written_names(ModuleSet& set) {
  SetModule& module = *set.modules().front();
  const olean::ExtensionFacts facts = facts_of_parts(module);
  std::set<std::string> keys;
  for (const auto& [name, place] : facts.places) keys.insert(olean::key_of(module, name));
  return keys;
}

/// Whether a theorem was generated for the constant that its prefix names.
bool is_generated(ModuleSet& set, ConstantId id, const std::set<std::string>& written) {
  // The fields of a structure that is a proposition are theorems, and have places.
  if (set.facts(id).projections.contains(set.constants()[id].name)) return true;
  if (written.contains(set.key(id))) return false;
  const olean::NameText& name = set.name(id);
  if (name.internal || name.hygienic || name.text.empty()) return true;
  if (!text::contains(kGenerated, name.last)) return false;
  const auto prefix = set.find(olean::key_of(*set.constants()[id].module, name.prefix));
  return prefix && set.info(*prefix).kind != InfoKind::Theorem;
}

std::string shown_name(ModuleSet& set, ConstantId id) {
  return olean::name_of_key(set.key(id));
}

/// Checks of the solution's own constants that a real compiler always passes.
class OwnConstants {
 public:
  explicit OwnConstants(ModuleSet& set) : set_(set), module_(*set.modules().front()) {}

  std::optional<std::string> problem() {
    if (!set_.clashes().empty())
      return "The solution declares " + in_quotes(olean::name_of_key(set_.clashes().front())) +
             ", which already exists.";
    read_types();
    for (ConstantId id = 0; id < set_.own_constants(); ++id)
      if (auto found = problem_of(id)) return found;
    // Lean reads the imports from the first part, leanbridge from the last.
    for (std::size_t part = 0; part < module_.region.parts(); ++part)
      if (imports_of(part) != module_.imports)
        return "The parts of the solution's compiled file have different imports.";
    return std::nullopt;
  }

 private:
  std::vector<std::string> imports_of(std::size_t part) {
    olean::Region& region = module_.region;
    const olean::Object imports = region.array(region.field(region.constructor(region.root(part)), 0));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < imports.count; ++i)
      names.push_back(olean::name_of_key(
          olean::key_of(module_, region.field(region.constructor(region.field(imports, i)), 0))));
    return names;
  }

  std::optional<std::string> problem_of(ConstantId id) {
    const ConstantInfo info = set_.info(id);
    const std::string key = set_.key(id);
    const std::string name = in_quotes(olean::name_of_key(key));
    if (olean::key_of(module_, info.name) != key)
      return "The solution's file lists another constant as " + name + ".";
    if (info.kind == InfoKind::Quot) return "The solution declares " + name + " as a part of the kernel.";
    if (info.kind != InfoKind::Constructor && info.kind != InfoKind::Recursor) return std::nullopt;
    // The constructors of another type could have any statement.
    const olean::Object value = module_.region.constructor(
        module_.region.field(module_.region.constructor(set_.constants()[id].info), 0));
    olean::Ref type = module_.region.field(value, 1);
    if (info.kind == InfoKind::Recursor) {  // checks only the first of `all`
      if (olean::is_boxed(type)) return "The solution's " + name + " is the recursor of no type.";
      type = module_.region.field(module_.region.constructor(type), 0);
    }
    const auto owner = set_.find(olean::key_of(module_, type));
    const bool is_type = owner && set_.is_own(*owner) && set_.info(*owner).kind == InfoKind::Inductive;
    const auto listed = owners_.find(key);
    const bool is_listed = listed != owners_.end() && listed->second == owner;
    if (!is_type || (info.kind == InfoKind::Constructor && !is_listed))
      return "The solution's " + name + " belongs to no type that it declares.";
    return std::nullopt;
  }

  /// Records the type that lists each constructor.
  void read_types() {
    for (ConstantId id = 0; id < set_.own_constants(); ++id) {
      std::size_t steps = 0;
      for (olean::Ref list = set_.info(id).constructors.value_or(olean::kBoxedZero);
           !olean::is_boxed(list);) {
        const olean::Object cell = module_.region.constructor(list);
        owners_.emplace(olean::key_of(module_, module_.region.field(cell, 0)), id);
        list = module_.region.field(cell, 1);
        if (++steps > set_.own_constants()) break;
      }
    }
  }

  ModuleSet& set_;
  SetModule& module_;
  std::unordered_map<std::string, ConstantId> owners_;  ///< by constructor
};

class Judgement {
 public:
  Judgement(ModuleSet& challenge, ModuleSet& solution, const Rules& rules, const std::set<std::string>& holes)
      : challenge_(challenge),
        solution_(solution),
        rules_(rules),
        comparison_(challenge, solution, holes),
        asked_(challenge, rules.is_project),
        given_(solution, rules.is_project) {
    for (const std::string& axiom : rules.allowed_axioms) allowed_.insert(olean::key_of(axiom));
  }

  std::optional<std::string> about_the_whole() {
    std::set<std::string> known;
    for (const auto& module : challenge_.modules()) known.insert(module->name);
    const std::vector<std::string>& direct = solution_.modules().front()->imports;
    for (const auto& module : solution_.modules()) {
      if (module->name.empty() || known.contains(module->name) || rules_.may_import(*module)) continue;
      const bool is_direct = std::ranges::find(direct, module->name) != direct.end();
      return "The solution imports " + module->name + (is_direct ? "" : " through another module") +
             ", which the challenge does not import.";
    }
    comparison_.read_solution();
    if (auto found = OwnConstants(solution_).problem()) return found;
    for (const std::string_view primitive : kPrimitives) {
      const std::string key = olean::key_of(primitive);
      const auto declared = solution_.find(key);
      if (!declared || !solution_.is_own(*declared)) continue;
      if (const auto different = comparison_.difference(key))
        return "The solution declares " + in_quotes(std::string(primitive)) +
               ", which the kernel computes with, and " + *different + ".";
    }
    return std::nullopt;
  }

  NameVerdict about(const std::string& key) {
    NameVerdict verdict;
    verdict.verdict = Outcome::Refused;
    const ConstantId asked = challenge_.find(key).value();
    verdict.name = challenge_.name(asked).text;
    if (std::string statement = asked_.statement(asked); !statement.empty()) verdict.statement = statement;
    if (const auto given = own(key)) {
      std::set<std::string> filled;
      verdict.reason = objection(key, *given, filled);
      const Claim proof = {Outcome::Certified,
                           "Same statement, and a proof that rests on allowed axioms only."};
      if (solution_.undamaged()) rest_on(*given, filled.empty() ? proof : filling(filled), verdict);
      if (verdict.verdict != Outcome::Refused) holes_.insert(filled.begin(), filled.end());
    } else {
      verdict.reason = "The solution does not declare it.";
    }
    if (verdict.verdict == Outcome::Refused && solution_.undamaged()) look_for_disproof(key, verdict);
    judged_.push_back(verdict.disproof ? disproof_of(key) : key);
    return verdict;
  }

  /// The holes of the theorems that are not refused.
  const std::set<std::string>& holes() const { return holes_; }
  const std::vector<std::string>& judged() const { return judged_; }

 private:
  /// The verdict on a theorem, provided that its proof holds.
  struct Claim {
    Outcome verdict;
    std::string reason;
  };

  static std::string disproof_of(const std::string& key) { return key + "disproof\x01"; }

  static Claim filling(const std::set<std::string>& filled) {
    std::string names;
    for (const std::string& key : filled)
      names += (names.empty() ? "" : ", ") + in_quotes(olean::name_of_key(key));
    return {Outcome::Filled,
            "Same statement but for " + names +
                ", which the solution fills in, and a proof that rests on allowed axioms only."};
  }

  std::optional<ConstantId> own(const std::string& key) const {
    const auto found = solution_.find(key);
    return found && solution_.is_own(*found) ? found : std::nullopt;
  }

  /// If the statement of a challenge is not proved, it may be disproved: `NAME.disproof` proves its negation.
  void look_for_disproof(const std::string& key, NameVerdict& verdict) {
    const auto given = own(disproof_of(key));
    if (!given) return;
    const std::string name = in_quotes(olean::name_of_key(disproof_of(key)));
    NameVerdict disproof = verdict;
    disproof.disproof = olean::name_of_key(disproof_of(key));
    disproof.reason.clear();
    if (solution_.info(*given).kind != InfoKind::Theorem)
      disproof.reason = name + " is no theorem.";
    else if (const auto different = comparison_.difference_from_negation(key, disproof_of(key)))
      disproof.reason = name + " does not state the negation: " + *different + ".";
    rest_on(*given, {Outcome::Refuted, name + " proves the negation, from allowed axioms only."}, disproof);
    if (disproof.verdict == Outcome::Refused)
      verdict.reason += " " + disproof.reason;
    else
      verdict = std::move(disproof);
  }

  /// "": there is no objection.
  std::string objection(const std::string& key, ConstantId given, std::set<std::string>& filled) {
    const ConstantInfo info = solution_.info(given);
    if (info.kind != InfoKind::Theorem)
      return "In the solution it is declared as " + std::string(olean::keyword(info.kind)) +
             ", not as theorem.";
    const auto different = comparison_.difference(key, &filled);
    if (!different) return filled.empty() ? "" : objection_to_filling(solution_, given, filled).value_or("");
    std::string reason = "The statement differs: " + *different + ".";
    const std::string theirs = given_.statement(given);
    if (!theirs.empty() && theirs != asked_.statement(challenge_.find(key).value()))
      reason += " The solution states `" + theirs + "`.";
    return reason;
  }

  void rest_on(ConstantId given, const Claim& claim, NameVerdict& verdict) {
    const olean::Foundations found = solution_.foundations(given);
    if (!solution_.undamaged()) return;
    std::set<std::string> axioms, unknown;
    std::string bad;
    for (const ConstantId axiom : found.axioms) consider(axiom, axioms, bad);
    for (const ConstantId theorem : found.without_proof) {
      if (solution_.is_own(theorem))  // the solution's own file has all proofs, so this constant is an axiom
        consider(theorem, axioms, bad);
      else
        unknown.insert(solution_.name(theorem).text);
    }
    verdict.axioms.emplace(axioms.begin(), axioms.end());
    if (verdict.reason.empty() && !found.missing.empty())
      verdict.reason = "The proof mentions " + in_quotes(*found.missing.begin()) + ", which does not exist.";
    if (verdict.reason.empty()) verdict.reason = bad;
    if (verdict.reason.empty() && !found.unsafe.empty())
      verdict.reason = "The proof rests on " + in_quotes(shown_name(solution_, *found.unsafe.begin())) +
                       ", which is unsafe or partial.";
    if (!verdict.reason.empty()) return;
    if (unknown.empty()) {
      verdict.verdict = claim.verdict;
      verdict.reason = claim.reason;
      return;
    }
    verdict.verdict = Outcome::Incomplete;
    verdict.reason =
        "What " + in_quotes(*unknown.begin()) +
        (unknown.size() > 1 ? " and " + std::to_string(unknown.size() - 1) + " other imported theorems rest"
                            : " rests") +
        " on is unknown: the library was installed without proofs.";
    verdict.without_proof.emplace(unknown.begin(), unknown.end());
    if (verdict.without_proof->size() > kMaxShownNames) verdict.without_proof->resize(kMaxShownNames);
  }

  /// An allowed axiom is one of an import, or the challenge's own with the same statement.
  void consider(ConstantId axiom, std::set<std::string>& axioms, std::string& bad) {
    const std::string key = solution_.key(axiom);
    const std::string name = olean::name_of_key(key);
    axioms.insert(name);
    if (!bad.empty()) return;
    if (!allowed_.contains(key)) {
      const std::string meaning = lean::meaning_of_axiom(name);
      bad =
          "The proof rests on the axiom " + in_quotes(name) + (meaning.empty() ? "." : ", " + meaning + ".");
    } else if (solution_.is_own(axiom)) {
      if (const auto different = comparison_.difference(key))
        bad = "The solution declares the axiom " + in_quotes(name) + ", and " + *different + ".";
    }
  }

  ModuleSet& challenge_;
  ModuleSet& solution_;
  const Rules& rules_;
  Comparison comparison_;
  statement::StatementPrinter asked_, given_;
  std::set<std::string> allowed_, holes_;
  std::vector<std::string> judged_;
};

std::string damage_of(const ModuleSet& solution) {
  for (const auto& module : solution.modules())
    if (!module->region.damage().empty())
      return (module->name.empty() ? "The solution's compiled file" : "The compiled module " + module->name) +
             " is damaged: " + module->region.damage() + ".";
  return {};
}

}  // namespace

Result<std::vector<std::string>> asked_keys(ModuleSet& challenge, const std::vector<std::string>& names) {
  std::vector<std::string> keys;
  if (names.empty()) {
    const std::set<std::string> written = written_names(challenge);
    for (ConstantId id = 0; id < challenge.own_constants(); ++id)
      if (challenge.info(id).kind == InfoKind::Theorem && !is_generated(challenge, id, written))
        keys.push_back(challenge.key(id));
    std::ranges::sort(keys);  // the order of compiled files has no meaning for readers
    if (keys.empty())
      return fail(ErrorKind::InvalidArgument, "The challenge declares no theorem.",
                  "State what is to be proved as theorems that end in sorry.");
    return keys;
  }
  for (const std::string& name : names) {
    // A private theorem is requested by the name that users see, unless a public one has that name.
    auto found = challenge.find(olean::key_of(name));
    for (ConstantId id = 0; !found && id < challenge.own_constants(); ++id)
      if (challenge.name(id).is_private && challenge.name(id).text == name) found = id;
    if (!found || !challenge.is_own(*found))
      return fail(ErrorKind::InvalidArgument, "The challenge does not declare " + name + ".",
                  "Pass the full name with its namespaces.");
    if (const InfoKind kind = challenge.info(*found).kind; kind != InfoKind::Theorem)
      return fail(ErrorKind::InvalidArgument,
                  name + " is declared as " + std::string(olean::keyword(kind)) +
                      " in the challenge, not as theorem.",
                  "Pass names of theorems.");
    const std::string key = challenge.key(*found);
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  }
  return keys;
}

bool is_first_module(const SetModule& module) {
  return module.file.empty();
}

Result<std::vector<NameVerdict>> asked_names(ModuleSet& challenge, const std::vector<std::string>& names,
                                             const std::function<bool(const SetModule&)>& is_project) {
  TRY(const auto keys, asked_keys(challenge, names));
  statement::StatementPrinter printer(challenge, is_project);
  std::vector<NameVerdict> asked;
  for (const std::string& key : keys) {
    NameVerdict verdict;
    const ConstantId id = challenge.find(key).value();
    verdict.name = challenge.name(id).text;
    if (std::string statement = printer.statement(id); !statement.empty())
      verdict.statement = std::move(statement);
    asked.push_back(std::move(verdict));
  }
  TRY_DONE(challenge.undamaged());
  return asked;
}

namespace {

/// The keys of the definitions that the challenge leaves open. InvalidArgument: one of them has a value.
Result<std::set<std::string>> asked_holes(ModuleSet& challenge, const Rules& rules) {
  std::set<std::string> open = open_definitions(challenge);
  if (!rules.holes) return open;
  std::set<std::string> asked;
  for (const std::string& name : *rules.holes) {
    if (!open.contains(olean::key_of(name)))
      return fail(ErrorKind::InvalidArgument, "The challenge does not leave " + name + " open.",
                  "A definition that a solution is to fill in has sorry as its value.");
    asked.insert(olean::key_of(name));
  }
  return asked;
}

/// Refuses a listed hole that no theorem depends on.
Result<void> check_holes(const Rules& rules, const Findings& findings) {
  const bool all_hold =
      !findings.refused && std::ranges::none_of(findings.names, [](const NameVerdict& name) {
        return name.verdict == Outcome::Refused || name.verdict == Outcome::Refuted;
      });
  if (!all_hold || !rules.holes) return {};
  for (const std::string& name : *rules.holes)
    if (!text::contains(findings.holes, olean::key_of(name)))
      return fail(ErrorKind::InvalidArgument, "No theorem in question rests on " + name + ".",
                  "Ask for a theorem that says what it must be.");
  return {};
}

}  // namespace

Result<Findings> judge(ModuleSet& challenge, ModuleSet& solution, const Rules& rules) {
  const auto keys = asked_keys(challenge, rules.names);
  TRY_DONE(challenge.undamaged());
  if (!keys) return tl::unexpected(keys.error());
  TRY(const std::set<std::string> holes, asked_holes(challenge, rules));
  Findings findings;
  Judgement judgement(challenge, solution, rules, holes);
  findings.refused = judgement.about_the_whole();
  for (const std::string& key : *keys) {
    findings.names.push_back(judgement.about(key));
    if (findings.refused && findings.names.back().verdict != Outcome::Refused) {
      findings.names.back().verdict = Outcome::Refused;
      findings.names.back().reason = *findings.refused;
    }
  }
  findings.judged = judgement.judged();
  findings.holes.assign(judgement.holes().begin(), judgement.holes().end());
  TRY_DONE(challenge.undamaged());
  // Nothing read from a damaged file is reliable.
  if (const std::string damage = damage_of(solution); !damage.empty()) {
    findings.refused = damage;
    for (NameVerdict& name : findings.names) {
      name.verdict = Outcome::Refused;
      name.reason = damage;
      name.axioms.reset();
      name.without_proof.reset();
      name.disproof.reset();
    }
  }
  TRY_DONE(check_holes(rules, findings));
  return findings;
}

}  // namespace leanbridge::certify
