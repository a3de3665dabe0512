#pragma once
/// The constants of an `.olean`: Lean.ConstantInfo (Lean's src/Lean/Declaration.lean), and what the module's
/// environment extensions say of them, its `entries`.

#include "olean_names.hpp"
#include "olean_region.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace leanbridge::index {

/// Its constructors, in their order.
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

/// As declarations are written: "def", "theorem", "inductive"; empty for None.
std::string_view keyword(InfoKind kind);

/// Lean.ConstantKind has another order.
InfoKind from_constant_kind(unsigned kind);

/// One constant: references into its region.
struct ConstantInfo {
  InfoKind kind = InfoKind::None;
  Ref common = kBoxedZero;  ///< the ConstantVal: one object, whichever part it is reached from
  Ref name = kBoxedZero;
  Ref type = kBoxedZero;
  std::optional<Ref> value;         ///< of definitions, theorems and opaque constants
  std::optional<Ref> constructors;  ///< of inductive types: a list of names
  bool is_unsafe = false;
  bool is_partial = false;
};

/// The ConstantInfo at `ref`; what is damaged reads as nothing (Region::damage).
ConstantInfo read_constant_info(Region& region, Ref ref);

/// By name: equal names are one object, in all parts.
struct ExtensionFacts {
  struct Place {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
  };
  /// A theorem that only its own module may unfold is exported as an axiom: this is what it was.
  /// Lean.ConstantKind.
  std::unordered_map<Ref, unsigned> kinds;
  std::unordered_map<Ref, std::string_view> docstrings;  ///< in the bytes of the region
  std::unordered_map<Ref, Place> places;
  std::unordered_set<Ref> instances, structures, classes, projections, deprecated, reducible, inlined;
  std::unordered_set<Ref> generated;
};

/// Adds what the entries of one part say. Extensions that are not known are not looked at.
void read_extensions(Region& region, Names& names, Ref entries, ExtensionFacts& facts);

}  // namespace leanbridge::index
