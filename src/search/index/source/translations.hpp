#pragma once
/// The theorems that attributes of Mathlib declare besides the written one, by the simple part of the
/// attributes' rules. Pure functions.

#include <span>
#include <string>
#include <string_view>

namespace leanbridge::index {

struct Translation {
  std::string_view attribute;
  /// The second name: by `to_additive` `Finset.prod_mul` gives `Finset.sum_add`, `CommMonoid` gives
  /// `AddCommMonoid`; by `to_dual` `min_le_left` gives `max_le_left`. "" if no word can be translated.
  std::string (*name)(std::string_view name);
  /// The second signature: `(a b : M) : a * b = b * a` gives `(a b : M) : a + b = b + a`. "" if it has powers
  /// or other notation whose translation is not simple.
  std::string (*signature)(std::string_view signature);
};

/// `to_additive` and `to_dual`.
std::span<const Translation> translations();

}  // namespace leanbridge::index
