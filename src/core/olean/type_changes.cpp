#include "type_changes.hpp"

#include "comparison.hpp"
#include "core/base/try.hpp"

#include <unordered_map>
#include <utility>

namespace leanbridge::olean {

using olean::ConstantId;
using olean::InfoKind;
using olean::ModuleSet;

namespace {

/// The constants of a module and the lines where they were declared.
class DeclaredLines {
 public:
  explicit DeclaredLines(ModuleSet& set) : set_(set), own_(*set.modules().front()) {
    const ExtensionFacts facts = facts_of_parts(own_);
    for (const auto& [name, place] : facts.places) lines_.emplace(olean::key_of(own_, name), place.line);
  }

  /// Whether Lean has recorded a place for it; constants that Lean generates have none.
  bool has_place(ConstantId id) const { return lines_.contains(set_.key(id)); }
  /// The line of the declaration that it was generated for; 0: unknown.
  std::uint32_t line(ConstantId id) const {
    for (olean::Ref at = set_.info(id).name; !olean::is_boxed(at);
         at = own_.region.field(own_.region.constructor(at), 0))
      if (const auto line = lines_.find(olean::key_of(own_, at)); line != lines_.end()) return line->second;
    return 0;
  }

 private:
  ModuleSet& set_;
  olean::SetModule& own_;
  std::unordered_map<std::string, std::uint32_t> lines_;
};

bool is_statement(InfoKind kind) {
  return kind == InfoKind::Theorem || kind == InfoKind::Axiom;
}

InfoKind kind_of(ModuleSet& set, ConstantId id) {
  const InfoKind kind = set.info(id).kind;
  return kind == InfoKind::Axiom && set.is_exported_as_axiom(id) ? InfoKind::Theorem : kind;
}

class Changes {
 public:
  Changes(ModuleSet& before, ModuleSet& after, const EditedLines& edited)
      : before_(before),
        after_(after),
        edited_(edited),
        old_lines_(before),
        new_lines_(after),
        comparison_(before, after, {}, edited.renamed) {}

  std::vector<TypeChange> find() {
    for (ConstantId id = 0; id < before_.own_constants(); ++id)
      if (!before_.name(id).internal) look_at(id);
    for (ConstantId id = 0; id < after_.own_constants(); ++id) {
      const auto known = before_.find(after_.key(id));
      const bool is_new = !known || !before_.is_own(*known);
      if (is_new && !renamed_to_.contains(after_.key(id)) && kind_of(after_, id) == InfoKind::Axiom)
        add(TypeChange::Kind::Assumed, after_.name(id).text, "", after_.statement(id));
    }
    return std::move(changes_);
  }

 private:
  void add(TypeChange::Kind kind, std::string name, std::string before, std::string after,
           std::string how = {}) {
    changes_.push_back({kind, std::move(name), std::move(before), std::move(after), std::move(how)});
  }

  void look_at(ConstantId id) {
    const std::string key = before_.key(id);
    const bool stays = !edited_.renamed.contains(key) && after_.find(key).has_value();
    const std::string new_key = stays ? key : renamed_key(edited_.renamed, key);
    renamed_to_.insert(new_key);
    const std::string& name = before_.name(id).text;
    const InfoKind kind = kind_of(before_, id);
    const auto other = after_.find(new_key);
    const bool has_place = old_lines_.has_place(id);
    const bool is_here = other && after_.is_own(*other);
    const bool is_edited =
        edited_.before(old_lines_.line(id)) || (is_here && edited_.after(new_lines_.line(*other)));
    if (!is_here) {
      // Parts of an edited type come and go with it, and so do constants that Lean generates on demand.
      const bool is_part = kind == InfoKind::Constructor || is_below_another(key);
      if (has_place && !(is_edited && is_part)) add(TypeChange::Kind::Lost, name, before_.statement(id), "");
      return;
    }
    const InfoKind now = kind_of(after_, *other);
    if (kind == InfoKind::Theorem && now != InfoKind::Theorem)
      return add(TypeChange::Kind::Demoted, name, std::string(olean::keyword(kind)),
                 std::string(olean::keyword(now)));
    if (is_edited && !(has_place && is_statement(kind))) return;
    const auto parts = is_edited || is_statement(kind) ? Comparison::Parts::Type : Comparison::Parts::All;
    if (auto how = comparison_.own_difference(key, new_key, parts))
      add(TypeChange::Kind::Changed, name, before_.statement(id), after_.statement(*other), std::move(*how));
  }

  /// Whether it is in the namespace of a constant of the module, as a projection is.
  bool is_below_another(const std::string& key) const {
    const std::size_t last = key.rfind('\x01', key.size() - 2);
    if (last == std::string::npos) return false;
    const auto above = before_.find(key.substr(0, last + 1));
    return above && before_.is_own(*above) && after_.find(key.substr(0, last + 1)).has_value();
  }

  ModuleSet &before_, &after_;
  const EditedLines& edited_;
  DeclaredLines old_lines_, new_lines_;
  Comparison comparison_;
  std::set<std::string> renamed_to_;
  std::vector<TypeChange> changes_;
};

}  // namespace

Result<std::vector<TypeChange>> type_changes(ModuleSet& before, ModuleSet& after, const EditedLines& edited) {
  auto changes = Changes(before, after, edited).find();
  TRY_DONE(before.undamaged());
  TRY_DONE(after.undamaged());
  return changes;
}

}  // namespace leanbridge::olean
