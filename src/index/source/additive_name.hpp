#pragma once
/// The names that Mathlib's attribute `to_additive` makes. Pure functions.

#include <string>
#include <string_view>

namespace leanbridge::index {

/// The additive name of a multiplicative one, by the plain part of Mathlib's rule: `Finset.prod_mul` gives
/// `Finset.sum_add`, `CommMonoid` gives `AddCommMonoid`. "" if no word of the name is translated.
std::string additive_name(std::string_view name);

/// The same for a signature: `(a b : M) : a * b = b * a` gives `(a b : M) : a + b = b + a`. "" if it has
/// powers or other notation whose translation is not plain.
std::string additive_signature(std::string_view signature);

}  // namespace leanbridge::index
