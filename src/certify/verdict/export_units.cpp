#include "export_units.hpp"

#include "core/base/try.hpp"

#include <algorithm>

namespace leanbridge::certify {

using olean::ConstantId;
using olean::InfoKind;

using olean::ConstantId;
using olean::InfoKind;

std::string quoted_constant(olean::ModuleSet& set, ConstantId id) {
  return "`" + olean::name_of_key(set.key(id)) + "`";
}

std::vector<ConstantId> Unit::members() const {
  std::vector<ConstantId> all = types;
  all.insert(all.end(), constructors.begin(), constructors.end());
  all.insert(all.end(), recursors.begin(), recursors.end());
  return all;
}

Result<Unit> Units::around(ConstantId id) {
  const InfoKind kind = set_.info(id).kind;
  Unit unit;
  if (kind == InfoKind::Quot) {
    TRY(unit, quotient());
  } else if (kind == InfoKind::Inductive || kind == InfoKind::Constructor || kind == InfoKind::Recursor) {
    TRY(const ConstantId type, kind == InfoKind::Inductive ? Result<ConstantId>(id) : first_name(id));
    TRY(const auto types, listed(type, Part::Types));
    if (types.empty()) return strange(id);
    TRY(unit, group(types.front()));
  } else {
    unit.types = {id};
  }
  std::vector<ConstantId> members = unit.members();
  std::sort(members.begin(), members.end());
  const bool twice = std::adjacent_find(members.begin(), members.end()) != members.end();
  if (twice || !std::binary_search(members.begin(), members.end(), id)) return strange(id);
  return unit;
}

tl::unexpected<Error> Units::strange(ConstantId id) {
  return fail(ErrorKind::NotSupported, quoted_constant(set_, id) + " is not as Lean writes it.");
}

Result<Unit> Units::quotient() {
  Unit unit;
  for (const std::string_view name : kQuotients) {
    const auto part = set_.find(olean::key_of(name));
    if (!part || set_.info(*part).kind != InfoKind::Quot)
      return fail(ErrorKind::NotSupported, "The library has no `" + std::string(name) + "`.");
    unit.types.push_back(*part);
  }
  return unit;
}

Result<ConstantId> Units::first_name(ConstantId id) {
  const auto constant = reader_.read(id);
  if (constant && !constant->names.empty())
    if (const auto type = set_.find(terms_.text(constant->names.front()));
        type && set_.info(*type).kind == InfoKind::Inductive)
      return *type;
  return strange(id);
}

Result<std::vector<ConstantId>> Units::listed(ConstantId type, Part part) {
  const auto constant = reader_.read(type);
  if (!constant) return strange(type);
  const std::size_t types = std::stoul(constant->numbers.at(2));
  const std::size_t begin = part == Part::Types ? 0 : types;
  const std::size_t end = part == Part::Types ? types : constant->names.size();
  const InfoKind expected = part == Part::Types ? InfoKind::Inductive : InfoKind::Constructor;
  std::vector<ConstantId> found;
  for (std::size_t i = begin; i < end; ++i) {
    const auto name = set_.find(terms_.text(constant->names[i]));
    if (!name || set_.info(*name).kind != expected) return strange(type);
    found.push_back(*name);
  }
  return found;
}

Result<Unit> Units::group(ConstantId first) {
  Unit unit;
  TRY(unit.types, listed(first, Part::Types));
  for (const ConstantId type : unit.types) {
    TRY(const auto same, listed(type, Part::Types));
    if (same != unit.types) return strange(type);
    TRY(const auto constructors, listed(type, Part::Constructors));
    for (const ConstantId constructor : constructors) {
      TRY(const ConstantId owner, first_name(constructor));
      if (owner != type) return strange(constructor);
      unit.constructors.push_back(constructor);
    }
    const auto recursor = recursor_of(type, "rec");
    if (!recursor) return strange(type);
    unit.recursors.push_back(*recursor);
  }
  while (const auto recursor = recursor_of(first, "rec_" + std::to_string(unit.nested + 1))) {
    unit.recursors.push_back(*recursor);
    ++unit.nested;
  }
  return unit;
}

std::optional<ConstantId> Units::recursor_of(ConstantId type, const std::string& name) {
  const auto found = set_.find(set_.key(type) + name + "\x01");
  return found && set_.info(*found).kind == InfoKind::Recursor ? found : std::nullopt;
}

}  // namespace leanbridge::certify
