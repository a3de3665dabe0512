#pragma once
/// Starts an untrusted program: in bubblewrap if that is installed, and with limits. Pure functions that
/// assemble a command line.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
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

}  // namespace leanbridge::certify
