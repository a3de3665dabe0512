#pragma once
/// The last step of a verdict: kernels check the proofs, and the verdict is decided. Private to this module.

#include "compare.hpp"

namespace leanbridge::certify {

/// Completes the job's certificate. Errors: those of starting the kernel, Timeout, Cancelled.
asio::awaitable<Result<void>> conclude(Job& job, const Inputs& inputs, const Compiled& compiled,
                                       Compared compared);

}  // namespace leanbridge::certify
