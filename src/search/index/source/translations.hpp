#pragma once
/// The theorems that Mathlib's attributes declare beside the one that is written, by the plain part of their
/// rules. Pure functions.

#include <span>
#include <string>
#include <string_view>

namespace leanbridge::index {

struct Translation {
  std::string_view attribute;
  /// The second name: by `to_additive` `Finset.prod_mul` gives `Finset.sum_add`, `CommMonoid` gives
  /// `AddCommMonoid`; by `to_dual` `min_le_left` gives `max_le_left`. "" if no word is translated.
  std::string (*name)(std::string_view name);
  /// The second signature: `(a b : M) : a * b = b * a` gives `(a b : M) : a + b = b + a`. "" if it has powers
  /// or other notation whose translation is not plain.
  std::string (*signature)(std::string_view signature);
};

/// `to_additive` and `to_dual`.
std::span<const Translation> translations();

}  // namespace leanbridge::index
