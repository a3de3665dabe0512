#pragma once
/// The constants of an `.olean`: Lean.ConstantInfo (Lean's src/Lean/Declaration.lean), and the facts about
/// them in the module's environment extensions, its `entries`.

#include "olean_names.hpp"
#include "olean_region.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace leanbridge::olean {

/// The constructors of Lean.ConstantInfo, in their order.
enum class InfoKind : unsigned {
  Axiom,
  Definition,
  Theorem,
  Opaque,
  Quot,
  Inductive,
  Constructor,
  Recursor,
  None
};

/// The keyword of the declaration: "def", "theorem", "inductive"; empty for None.
std::string_view keyword(InfoKind kind);

/// From Lean.ConstantKind, whose order differs.
InfoKind from_constant_kind(unsigned kind);

/// One constant, as references into its region.
struct ConstantInfo {
  InfoKind kind = InfoKind::None;
  Ref common = kBoxedZero;  ///< the ConstantVal, which is the same object in all parts
  Ref name = kBoxedZero;
  Ref type = kBoxedZero;
  std::optional<Ref> value;         ///< for definitions, theorems and opaque constants
  std::optional<Ref> constructors;  ///< for inductive types: a list of names
  std::optional<Ref> rules;         ///< for recursors: a list of RecursorRule
  bool is_unsafe = false;
  bool is_partial = false;
};

/// The ConstantInfo at `ref`. Damaged data reads as empty (Region::damage).
ConstantInfo read_constant_info(Region& region, Ref ref);

/// Facts by name: equal names are the same object in all parts.
struct ExtensionFacts {
  struct Place {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
  };
  /// The Lean.ConstantKind of constants that are exported as axioms because only their own module may unfold
  /// them.
  std::unordered_map<Ref, unsigned> kinds;
  std::unordered_map<Ref, std::string_view> docstrings;  ///< views into the region
  std::unordered_map<Ref, Place> places;
  std::unordered_set<Ref> instances, structures, classes, projections, deprecated, reducible, inlined;
  std::unordered_set<Ref> scoped_instances;  ///< the instances among `instances` that count only where a
                                             ///< namespace is open
  std::unordered_set<Ref> generated;
  std::unordered_set<Ref> replaced;  ///< constants that run other code than their value: `implemented_by`,
                                     ///< `extern`
};

/// Adds the facts from the entries of one part. Ignores unknown extensions.
void read_extensions(Region& region, Names& names, Ref entries, ExtensionFacts& facts);

}  // namespace leanbridge::olean
