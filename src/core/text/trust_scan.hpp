#pragma once
/// Finds words in a Lean file that can make a proof mean less than it seems to. They only tell a reader where
/// to look: Lean's list of axioms decides.

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

/// A place with such words.
struct TrustMark {
  std::size_t offset = 0;  ///< in bytes
  std::string pattern;

  friend bool operator==(const TrustMark&, const TrustMark&) = default;
};

/// All places, in order. Skips comments and literals, except holes of interpolated strings.
std::vector<TrustMark> trust_marks(std::string_view source);

/// The findings by line; equal words in a row on a line are one finding. If Lean may read other words from
/// some place on (find_doubt), that is a finding, too: "unclear: ..."
std::vector<TrustFinding> scan_for_trust(std::string_view source);

}  // namespace leanbridge::text
