#pragma once
/// The effect that an option of Lean, or an attribute of a declaration, can have on Lean's messages about
/// proofs. Private to this module.

#include <string_view>

namespace leanbridge::text {

/// Whether the option leaves errors and sorries alone when set to this value, written as in a source. An
/// empty value means any value. False for an unknown option.
bool is_harmless_setting(std::string_view option, std::string_view value);

/// Whether the attribute never makes a program of its declaration. `attribute`: its first word, without `!`
/// and `?` at its end. False for an unknown attribute.
bool is_harmless_attribute(std::string_view attribute);

/// Whether the attribute is known to make a program: if a text declares an attribute with this name, that
/// declaration is ignored.
bool is_harmful_attribute(std::string_view attribute);

}  // namespace leanbridge::text
