#pragma once
/// What the environment extensions of a module say of its constants: the `entries` of an `.olean`.

#include "olean_names.hpp"
#include "olean_region.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace leanbridge::index {

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
