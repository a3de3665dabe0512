#pragma once
/// Runs a program to its end. Private to this module.

#include "core/io/run_to_end.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

namespace leanbridge::certify {

struct RunResult : io::ProgramEnd {
  std::string stopped;  ///< why it was ended although there was time, as a clause; "": it was not
};

/// What a program may use up while it runs. It is ended when it has.
struct RunBounds {
  std::uintmax_t printed = std::numeric_limits<std::uintmax_t>::max();  ///< bytes
  std::filesystem::path folder;                                         ///< where it writes; "": unknown
  std::uintmax_t folder_bytes = 0;  ///< of all that is in there, or was removed but is open
};

/// Runs the command until it and all its descendants have ended, or kills them at the end of the scope and
/// waits until they are gone: nothing that it started runs afterwards. Errors: Cancelled, or why it cannot be
/// started.
asio::awaitable<Result<RunResult>> run_program(const io::Spawn& spawn, io::ChildCommand command,
                                               std::size_t output_limit, io::CancelScope scope,
                                               std::string input = {}, RunBounds bounds = {});

/// What a program printed, on one line and cut short, to be quoted in a sentence.
std::string quotable(std::string_view printed);

}  // namespace leanbridge::certify
