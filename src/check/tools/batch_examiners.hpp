#pragma once
/// What the tools know about texts and Lean's messages do not say, for batches.

#include "check/batch/runner.hpp"
#include "core/tools/tools.hpp"

namespace leanbridge::tools {

/// Sorries and gaps are found as lean_check_all finds them. `environment` must outlive every run.
batch::Examiners batch_examiners(Environment& environment);

}  // namespace leanbridge::tools
