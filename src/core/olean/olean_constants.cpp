#include "olean_constants.hpp"

#include "core/base/ascii.hpp"

#include <array>
#include <string_view>

namespace leanbridge::olean {

namespace {

// Lean.DefinitionSafety, the only scalar of a definition.
constexpr unsigned char kUnsafe = 0, kPartial = 2;

unsigned char scalar(const Object& object, std::size_t i) {
  return i < object.scalars.size() ? static_cast<unsigned char>(object.scalars[i]) : 0;
}

// Null if there is no such field: readers of names and types alone accept constants without further fields.
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
  // AxiomVal, DefinitionVal and so on all begin with the ConstantVal: name, universes, type.
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
    case InfoKind::Recursor:
      info.rules = field_or_none(region, value, 6);
      info.is_unsafe = scalar(value, 1) != 0;  // after k
      break;
    case InfoKind::Constructor:
      info.is_unsafe = scalar(value, 0) != 0;
      break;
    default:
      break;
  }
  return info;
}

namespace {

using Facts = ExtensionFacts;
using Set = std::unordered_set<Ref>;

/// An entry is a bare name, or a constructor whose first field is the name: (name, value), or an entry
/// wrapped as global.
enum class Shape { Bare, Field };

struct NameSet {
  std::string_view extension;  ///< the last component only: some extensions are private, and their modules
                               ///< have moved
  Shape shape;
  Set Facts::*set;
};

constexpr auto kNameSets = std::to_array<NameSet>({
    {"globalInstanceExtension", Shape::Field, &Facts::instances},
    {"structureExt", Shape::Field, &Facts::structures},
    {"classExtension", Shape::Field, &Facts::classes},
    {"projectionFnInfoExt", Shape::Field, &Facts::projections},
    {"deprecatedAttr", Shape::Field, &Facts::deprecated},
    {"inlineAttrs", Shape::Field, &Facts::inlined},
    {"noConfusionExt", Shape::Field, &Facts::generated},
    {"auxRecExt", Shape::Bare, &Facts::generated},
    {"implementedByAttr", Shape::Field, &Facts::replaced},
    {"externAttr", Shape::Field, &Facts::replaced},
});

class ExtensionReader {
 public:
  ExtensionReader(Region& region, Names& names, Facts& facts)
      : region_(region), names_(names), facts_(facts) {}

  void read(Ref entries) {
    const Object extensions = region_.array(entries);
    for (std::size_t i = 0; i < extensions.count; ++i) {
      const Object pair = region_.constructor(region_.field(extensions, i));
      const std::string last = names_.at(region_.field(pair, 0)).last;
      each(region_.field(pair, 1), last);
    }
  }

 private:
  void each(Ref entries, std::string_view extension) {
    for (const NameSet& wanted : kNameSets) {
      if (extension != wanted.extension) continue;
      for_each(entries, [&](Ref entry) {
        const Ref name = wanted.shape == Shape::Bare ? entry : region_.field(region_.constructor(entry), 0);
        (facts_.*wanted.set).insert(name);
      });
    }
    if (extension == "instanceExtension") {
      for_each(entries, [&](Ref entry) { add_instance(region_.constructor(entry)); });
    } else if (extension == "privateConstKindsExt") {
      for_each_pair(entries, [&](Ref name, Ref kind) {
        if (is_boxed(kind)) facts_.kinds.emplace(name, static_cast<unsigned>(unboxed(kind)));
      });
    } else if (extension == "reducibilityCore") {
      for_each_pair(entries, [&](Ref name, Ref status) {
        if (status == kBoxedZero) facts_.reducible.insert(name);
      });
    } else if (extension == "docStringExt") {
      for_each_pair(entries, [&](Ref name, Ref text) {
        facts_.docstrings.emplace(name, trimmed(region_.string(text)));
      });
    } else if (extension == "declRangeExt") {
      for_each_pair(entries, [&](Ref name, Ref ranges) { facts_.places.emplace(name, place(ranges)); });
    }
  }

  /// ScopedEnvExtension.Entry: for everywhere, or for a namespace. The InstanceEntry has discrimination keys,
  /// then the term, which is a constant if it was declared.
  void add_instance(const Object& entry) {
    constexpr unsigned kScoped = 1, kConstant = 4;
    if (entry.tag > kScoped) return;
    const Object instance = region_.constructor(region_.field(entry, entry.tag == kScoped ? 1 : 0));
    const Object term = region_.constructor(region_.field(instance, 1));
    if (term.tag != kConstant) return;
    const Ref name = region_.field(term, 0);
    facts_.instances.insert(name);
    if (entry.tag == kScoped) facts_.scoped_instances.insert(name);
  }

  template <class Use>
  void for_each(Ref entries, Use use) {
    const Object array = region_.array(entries);
    for (std::size_t i = 0; i < array.count && region_.damage().empty(); ++i) use(region_.field(array, i));
  }

  template <class Use>
  void for_each_pair(Ref entries, Use use) {
    for_each(entries, [&](Ref entry) {
      const Object pair = region_.constructor(entry);
      use(region_.field(pair, 0), region_.field(pair, 1));
    });
  }

  /// DeclarationRanges: the range and the selection range. Each has its start, the UTF-16 column of the
  /// start, its end, and the UTF-16 column of the end. Positions have a 1-based line and a 0-based column in
  /// code points.
  Facts::Place place(Ref ranges) {
    const Object selection = region_.constructor(region_.field(region_.constructor(ranges), 1));
    const Object position = region_.constructor(region_.field(selection, 0));
    const Ref line = region_.field(position, 0);
    const Ref column = region_.field(position, 1);
    constexpr std::uint64_t kMax = 0x7FFFFFFF;
    if (!is_boxed(line) || !is_boxed(column) || unboxed(line) > kMax || unboxed(column) > kMax) return {};
    return {static_cast<std::uint32_t>(unboxed(line)), static_cast<std::uint32_t>(unboxed(column) + 1)};
  }

  Region& region_;
  Names& names_;
  Facts& facts_;
};

}  // namespace

void read_extensions(Region& region, Names& names, Ref entries, ExtensionFacts& facts) {
  ExtensionReader(region, names, facts).read(entries);
}

}  // namespace leanbridge::olean
