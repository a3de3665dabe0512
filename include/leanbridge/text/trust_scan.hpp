#pragma once
/// Finds words in a Lean file that can make a proof mean less than it seems to. Readers must judge what they
/// do: Lean's list of axioms decides, this only tells where to look.

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct TrustFinding {
  int line = 1;         ///< 1-based
  std::string pattern;  ///< the words found

  friend bool operator==(const TrustFinding&, const TrustFinding&) = default;
};

/// All findings, in order. Skips comments and literals, except holes of interpolated strings.
std::vector<TrustFinding> scan_for_trust(std::string_view source);

}  // namespace leanbridge::text
