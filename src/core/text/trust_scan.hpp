#pragma once
/// Finds words in a Lean file that can make a proof mean less than it seems to. Readers must judge what they
/// do: Lean's list of axioms decides, this only tells where to look.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct TrustFinding {
  int line = 1;         ///< 1-based
  std::string pattern;  ///< the words found

  friend bool operator==(const TrustFinding&, const TrustFinding&) = default;
};

/// Where such words stand.
struct TrustMark {
  std::size_t offset = 0;  ///< in bytes
  std::string pattern;

  friend bool operator==(const TrustMark&, const TrustMark&) = default;
};

/// All of them, in order. Skips comments and literals, except holes of interpolated strings.
std::vector<TrustMark> trust_marks(std::string_view source);

/// The same by lines; the same words that follow each other on a line are one finding. Where Lean may read
/// other words from some place on (find_doubt), that is a finding, too: "unclear: ..."
std::vector<TrustFinding> scan_for_trust(std::string_view source);

}  // namespace leanbridge::text
