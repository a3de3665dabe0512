#pragma once
/// What setting an option of Lean, or giving a declaration an attribute, can do to what Lean says about
/// proofs. Private to this module.

#include <string_view>

namespace leanbridge::text {

/// Whether the option leaves errors and sorries alone when set to this value, written as in a source. An
/// empty value: any value. An option that nobody has judged does not.
bool is_harmless_setting(std::string_view option, std::string_view value);

/// Whether the attribute makes no program of what it is given to. `attribute`: its first word, without `!`
/// and
/// `?` at its end. An attribute that nobody has judged may.
bool is_harmless_attribute(std::string_view attribute);

/// Whether it is known to make a program: no declaration of an attribute with this name is believed.
bool is_harmful_attribute(std::string_view attribute);

}  // namespace leanbridge::text
