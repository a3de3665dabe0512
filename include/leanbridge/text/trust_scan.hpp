#pragma once
/// Words in a Lean file that can make a proof mean less than it seems to. What they do is for a reader to
/// judge: Lean's own list of axioms decides, this tells where to look.

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct TrustFinding {
  int line = 1;         ///< 1-based
  std::string pattern;  ///< the word, or words, found

  friend bool operator==(const TrustFinding&, const TrustFinding&) = default;
};

/// In the order of the text; comments and literals are passed over, holes of interpolated strings are not.
std::vector<TrustFinding> scan_for_trust(std::string_view source);

}  // namespace leanbridge::text
