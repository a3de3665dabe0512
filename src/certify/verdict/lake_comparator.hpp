#pragma once
/// The same question to the comparator of the toolchain, and what its answer does to a verdict. Private to
/// this module.

#include "job.hpp"

namespace leanbridge::certify {

/// NotSupported where Lake has no `comparator` (it came with Lean 4.35); LeanUnavailable, Timeout, Cancelled.
asio::awaitable<Result<void>> require_comparator(const Job& job);

/// Asks it Request::comparator, notes the answer in the certificate, and takes a verdict back that claims
/// something with which it does not agree. Errors: Cancelled, or why it cannot be started.
asio::awaitable<Result<void>> ask_comparator(Job& job);

}  // namespace leanbridge::certify
