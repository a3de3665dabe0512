#pragma once
/// Asks all kernels about a solution, at the same time, each in a sandbox of its own. Private to this module.

#include "compile.hpp"

namespace leanbridge::certify {

/// Why a kernel's answer does not count that rejects whatever it is given.
inline constexpr const char* kUnfit =
    "accepts neither the solution nor the challenge, so it is no kernel for them";

/// Fills Certificate::kernels, and `exported` if an export was made. A kernel that rejects the solution must
/// accept the challenge, or what its statements mention: otherwise it is no kernel for them, and has failed.
/// Errors: Timeout if the time is up and none has accepted, Cancelled, what starting a program fails with.
asio::awaitable<Result<void>> ask_kernels(Job& job, const Inputs& inputs, const Compiled& compiled,
                                          SharedSet solution);

}  // namespace leanbridge::certify
