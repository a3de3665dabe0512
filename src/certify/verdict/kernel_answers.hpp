#pragma once
/// Asks all kernels about a solution, at the same time, each in a sandbox of its own. Private to this module.

#include "compile.hpp"

namespace leanbridge::certify {

/// Why the answer of a kernel that rejects everything does not count.
inline constexpr const char* kUnfit =
    "accepts neither the solution nor the challenge, so it is no kernel for them";

/// Fills Certificate::kernels, and `exported` if an export was made. A kernel that rejects the solution must
/// accept the challenge, or the constants in its statements: otherwise it does not suit them and has failed.
/// Errors: Timeout if time runs out and no kernel has accepted, Cancelled, and errors of starting a program.
asio::awaitable<Result<void>> ask_kernels(Job& job, const Inputs& inputs, const Compiled& compiled,
                                          SharedSet solution);

}  // namespace leanbridge::certify
