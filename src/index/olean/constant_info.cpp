#include "constant_info.hpp"

#include <array>

namespace leanbridge::index {
namespace {

// Lean.DefinitionSafety; the only scalar of a definition.
constexpr unsigned char kUnsafe = 0, kPartial = 2;

unsigned char scalar(const Object& object, std::size_t i) {
  return i < object.scalars.size() ? static_cast<unsigned char>(object.scalars[i]) : 0;
}

// Who only wants names and types needs no more of a constant.
std::optional<Ref> field_or_none(Region& region, const Object& object, std::size_t i) {
  return i < object.count ? std::optional(region.field(object, i)) : std::nullopt;
}

}  // namespace

std::string_view keyword(InfoKind kind) {
  switch (kind) {
    case InfoKind::Axiom:
      return "axiom";
    case InfoKind::Definition:
      return "def";
    case InfoKind::Theorem:
      return "theorem";
    case InfoKind::Opaque:
      return "opaque";
    case InfoKind::Quot:
      return "quot";
    case InfoKind::Inductive:
      return "inductive";
    case InfoKind::Constructor:
      return "constructor";
    case InfoKind::Recursor:
      return "recursor";
    case InfoKind::None:
      break;
  }
  return {};
}

InfoKind from_constant_kind(unsigned kind) {
  static constexpr auto kOrder = std::to_array<InfoKind>(
      {InfoKind::Definition, InfoKind::Theorem, InfoKind::Axiom, InfoKind::Opaque, InfoKind::Quot,
       InfoKind::Inductive, InfoKind::Constructor, InfoKind::Recursor});
  return kind < kOrder.size() ? kOrder[kind] : InfoKind::None;
}

ConstantInfo read_constant_info(Region& region, Ref ref) {
  ConstantInfo info;
  const Object object = region.constructor(ref);
  if (object.tag >= static_cast<unsigned>(InfoKind::None)) {
    region.damaged("a constant of an unknown kind", ref);
    return info;
  }
  info.kind = static_cast<InfoKind>(object.tag);
  // AxiomVal, DefinitionVal, ... all begin with the ConstantVal: name, universes, type.
  const Object value = region.constructor(region.field(object, 0));
  info.common = region.field(value, 0);
  const Object common = region.constructor(info.common);
  info.name = region.field(common, 0);
  info.type = region.field(common, 2);
  switch (info.kind) {
    case InfoKind::Definition:
      info.value = field_or_none(region, value, 1);
      info.is_unsafe = !value.scalars.empty() && scalar(value, 0) == kUnsafe;
      info.is_partial = scalar(value, 0) == kPartial;
      break;
    case InfoKind::Theorem:
      info.value = field_or_none(region, value, 1);
      break;
    case InfoKind::Opaque:
      info.value = field_or_none(region, value, 1);
      info.is_unsafe = scalar(value, 0) != 0;
      break;
    case InfoKind::Axiom:
      info.is_unsafe = scalar(value, 0) != 0;
      break;
    case InfoKind::Inductive:
      info.constructors = field_or_none(region, value, 4);
      info.is_unsafe = scalar(value, 1) != 0;  // after isRec
      break;
    default:
      break;
  }
  return info;
}

}  // namespace leanbridge::index
