#pragma once
/// Whether a change may be committed, by its words alone.

#include "approvals.hpp"

#include <string>
#include <vector>

namespace leanbridge::together {

struct CommitVerdict {
  std::vector<std::string> refused;    ///< why not, in sentences
  std::vector<std::string> undecided;  ///< only a compiler can tell whether this is fine
};

/// `approved`: the approvals before the change, which it cannot choose; `after`: those that it brings.
/// Refuses a sorry in what had none, a new axiom, and another statement of what is approved. Pure.
CommitVerdict judge_commit(const Approvals& approved, const Approvals& after,
                           const text::SourceChanges& changes);

}  // namespace leanbridge::together
