#pragma once
/// Examinations of texts beyond Lean's messages, for batches.

#include "check/batch/runner.hpp"
#include "core/tools/tools.hpp"

namespace leanbridge::tools {

/// Sorries and gaps are found as in lean_check_all. `environment` must outlive every run.
batch::Examiners batch_examiners(Environment& environment);

}  // namespace leanbridge::tools
