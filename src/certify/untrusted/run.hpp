#pragma once
/// Runs untrusted programs to their end: within bounds, in bubblewrap if that is installed, and with limits.

#include "core/io/run_to_end.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::certify {

/// The folders that a program in the sandbox sees, besides the system's own.
struct Visible {
  std::vector<std::filesystem::path> readable;
  std::optional<std::filesystem::path> writable;
  bool limits_tmp = true;  ///< bubblewrap has `--size`, since 0.6
};

/// The command in bubblewrap: without a network, other processes, or files except the visible ones; with a
/// small /tmp of its own and no other writable folder; ended with its parent.
std::vector<std::string> in_bubblewrap(const std::filesystem::path& bubblewrap, const Visible& visible,
                                       const std::vector<std::string>& command);

struct Limits {
  std::int64_t memory_mb = 8192;
  std::int64_t file_mb = 2048;    ///< size of each file that it writes
  std::int64_t folder_mb = 4096;  ///< of all its files together at any time
  std::int64_t printed_mb = 64;   ///< the size of its output
};

/// The command with limits that the system enforces, by util-linux's prlimit.
std::vector<std::string> with_limits(const std::filesystem::path& prlimit, const Limits& limits,
                                     const std::vector<std::string>& command);

/// A program in one of the folders where systems install programs, never one in another folder of PATH: the
/// caller's PATH may lead into the project.
std::optional<std::filesystem::path> find_system_program(const std::string& name);

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
