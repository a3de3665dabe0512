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
  std::string stopped;  ///< why it was ended before its time, as a clause; "": it was not
};

/// The limits of a program while it runs. It is ended when it exceeds one.
struct RunBounds {
  std::uintmax_t printed = std::numeric_limits<std::uintmax_t>::max();  ///< in bytes
  std::filesystem::path folder;                                         ///< the folder that it writes to; "":
                                                                        ///< unknown
  std::uintmax_t folder_bytes = 0;  ///< of all files in there, including removed ones that are still open
};

/// Runs the command until it and all its descendants have ended. At the end of the scope, kills them and
/// waits until they are gone, so that none runs afterwards. Errors: Cancelled, or the reason why it cannot be
/// started.
asio::awaitable<Result<RunResult>> run_program(const io::Spawn& spawn, io::ChildCommand command,
                                               std::size_t output_limit, io::CancelScope scope,
                                               std::string input = {}, RunBounds bounds = {});

/// The output of a program on one line, cut short, to be quoted in a sentence.
std::string quotable(std::string_view printed);

}  // namespace leanbridge::certify
