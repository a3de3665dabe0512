#include "module_difference.hpp"

#include "comparison.hpp"
#include "core/base/try.hpp"

#include <set>
#include <utility>

namespace leanbridge::olean {

using olean::ConstantId;
using olean::ModuleSet;

namespace {

using Constants = std::set<std::pair<std::string, std::string>>;  // pairs of key and module

template <class Ids>
Constants named(ModuleSet& set, const Ids& ids) {
  Constants constants;
  for (const ConstantId id : ids) constants.emplace(set.key(id), set.constants()[id].module->name);
  return constants;
}

/// Whether each constant of the module mentions the same constants in both versions. All then rest on the
/// same axioms, and no walk is necessary.
bool mention_the_same(ModuleSet& before, ModuleSet& after) {
  if (before.own_constants() != after.own_constants()) return false;
  for (ConstantId id = 0; id < before.own_constants(); ++id) {
    const auto other = after.find(before.key(id));
    if (!other || named(before, before.uses(id)) != named(after, after.uses(*other))) return false;
  }
  return true;
}

bool rest_on_the_same(ModuleSet& before, ConstantId id, ModuleSet& after, ConstantId other) {
  const olean::Foundations left = before.foundations(id), right = after.foundations(other);
  return named(before, left.axioms) == named(after, right.axioms) &&
         named(before, left.without_proof) == named(after, right.without_proof) &&
         left.missing == right.missing;
}

std::optional<std::string> first_difference(ModuleSet& before, ModuleSet& after) {
  Comparison comparison(before, after);
  const bool same_axioms = mention_the_same(before, after);
  for (ConstantId id = 0; id < before.own_constants(); ++id) {
    if (before.name(id).internal) continue;
    const std::string key = before.key(id);
    const auto other = after.find(key);
    if (!other || !after.is_own(*other)) return quoted(key) + " would not be declared";
    if (comparison.difference(key)) return quoted(key) + " would mean something else";
    if (!same_axioms && !rest_on_the_same(before, id, after, *other))
      return quoted(key) + " would rest on other axioms";
  }
  for (ConstantId id = 0; id < after.own_constants(); ++id)
    if (!after.name(id).internal && !before.find(after.key(id)))
      return quoted(after.key(id)) + " would be new";
  return std::nullopt;
}

}  // namespace

Result<std::optional<std::string>> module_difference(ModuleSet& before, ModuleSet& after) {
  auto difference = first_difference(before, after);
  TRY_DONE(before.undamaged());
  TRY_DONE(after.undamaged());
  return difference;
}

}  // namespace leanbridge::olean
