#pragma once
/// Asks the toolchain's comparator the same question, and adjusts the verdict to its answer. Private to this
/// module.

#include "job.hpp"

namespace leanbridge::certify {

/// NotSupported if Lake has no `comparator` (it exists since Lean 4.35); LeanUnavailable, Timeout, Cancelled.
asio::awaitable<Result<void>> require_comparator(const Job& job);

/// Asks it Request::comparator and notes the answer in the certificate. If they disagree, takes back a
/// verdict that claims a proof. Errors: Cancelled, or the reason why it cannot be started.
asio::awaitable<Result<void>> ask_comparator(Job& job);

}  // namespace leanbridge::certify
