#pragma once
/// Lean.ConstantInfo in an `.olean`: its kinds, and where the parts of each stand. (Lean's
/// src/Lean/Declaration.lean.)

#include "olean_region.hpp"

#include <optional>
#include <string_view>

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

}  // namespace leanbridge::index
