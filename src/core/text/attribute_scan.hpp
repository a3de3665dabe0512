#pragma once
/// Finds the attributes of a source that may make programs. Private to this module.

#include "trust_scan.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct AttributeScan {
  std::vector<TrustFinding> programs;  ///< each name once, at its first place
  std::vector<std::string> declared;   ///< attributes for lemmas, by `register_simp_attr` and the like
};
/// Reads attributes by their tokens: `@[/- -/ «tactic» x]` is `@[tactic x]`.
AttributeScan scan_attributes(std::string_view source);

/// Whether the word at `at` is part of a rule for Aesop, in an attribute or in a tactic: `(add unsafe 50%
/// a)`. Reads the source backwards from there. Returns false if it meets anything that could end a comment or
/// a string.
bool is_in_aesop_rule(std::string_view source, std::size_t at);

}  // namespace leanbridge::text
