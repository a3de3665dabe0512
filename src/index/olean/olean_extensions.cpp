#include "olean_extensions.hpp"

#include "leanbridge/base/ascii.hpp"

#include <array>
#include <string_view>

namespace leanbridge::index {
namespace {

using Facts = ExtensionFacts;
using Set = std::unordered_set<Ref>;

/// Entries are a name, or a constructor with a name as first field: (name, value), or one wrapped as global.
enum class Shape { Bare, Field };

struct NameSet {
  std::string_view extension;  ///< the last component: some are private, and modules moved
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
    if (extension == "privateConstKindsExt") {
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

  /// DeclarationRanges: range and selection range, each position, UTF-16 column, end, its UTF-16 column; a
  /// position is a line from 1 and a column from 0 in code points.
  Facts::Place place(Ref ranges) {
    const Object selection = region_.constructor(region_.field(region_.constructor(ranges), 1));
    const Object position = region_.constructor(region_.field(selection, 0));
    const Ref line = region_.field(position, 0);
    const Ref column = region_.field(position, 1);
    constexpr std::uint64_t kMost = 0x7FFFFFFF;
    if (!is_boxed(line) || !is_boxed(column) || unboxed(line) > kMost || unboxed(column) > kMost) return {};
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

}  // namespace leanbridge::index
