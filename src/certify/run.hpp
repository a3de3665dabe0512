#pragma once
/// Runs a program to its end. Private to this module.

#include "leanbridge/io/run_to_end.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace leanbridge::certify {

using RunResult = io::ProgramEnd;

/// Runs the command until it and all its descendants have ended, or kills them at the end of the scope and
/// waits until they are gone: nothing that it started runs afterwards. Errors: Cancelled, or why it cannot be
/// started.
asio::awaitable<Result<RunResult>> run_program(const io::Spawn& spawn, io::ChildCommand command,
                                               std::size_t output_limit, io::CancelScope scope,
                                               std::string input = {});

/// What a program printed, on one line and cut short, to be quoted in a sentence.
std::string quotable(std::string_view printed);

}  // namespace leanbridge::certify
