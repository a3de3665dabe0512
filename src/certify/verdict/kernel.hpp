#pragma once
/// The kernel that replays a solution's declarations: which program that is, and what its end means. Private
/// to this module.

#include "core/base/error.hpp"
#include "hashes.hpp"
#include "run.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::certify {

/// Where a kernel is looked for.
struct KernelPlaces {
  std::string command;  ///< --kernel; empty: find one
  std::filesystem::path sysroot;
  std::filesystem::path root;
  bool trust_packages = false;        ///< what the project's packages have built counts as it is
  const FileHashes* known = nullptr;  ///< the project's checkers when a baseline was recorded; may be null
};

struct Kernel {
  std::vector<std::string> command;  ///< without the names of modules; empty: there is none to be trusted
  std::string sha256;                ///< of its program
  /// Files that the command names, and the libraries of their toolchain: none may change while something
  /// untrusted runs. Their folders are readable in the sandbox.
  std::vector<std::filesystem::path> files;
  /// A lean4checker that the project has built. Whoever works in the project could have replaced it.
  std::optional<std::filesystem::path> untrusted;
};

/// A command from a command line: its program is a path, or the name of a program of the toolchain or of the
/// system; files among its arguments become absolute. InvalidArgument, which names `option`. Blocking.
Result<std::vector<std::string>> read_command(const std::string& command,
                                              const std::filesystem::path& sysroot,
                                              const std::string& option);

/// The files that a command names, and the libraries of its program's toolchain. Blocking.
std::vector<std::filesystem::path> files_of_command(const std::vector<std::string>& command);

/// The given one, leanchecker of the toolchain, the project's lean4checker if it is trusted, or the system's.
/// InvalidArgument if the given one is no program. Blocking.
Result<Kernel> find_kernel(const KernelPlaces& places);

/// The lean4checkers that the project and its packages have built, by their paths below the root. Blocking.
Result<FileHashes> hashes_of_checkers(const std::filesystem::path& root);

enum class ReplayEnd {
  Accepted,
  Rejected,
  Failed,  ///< it could not check: neither
};
/// What exit code 101 means, by which programs in Rust end that panic. nanoda rejects so, and a kernel that
/// nothing is known of may; a program in Lean does not.
enum class Panic { Rejects, Fails };
/// Only the exit code can accept. A rejection for lack of memory or time is a failure.
ReplayEnd end_of_replay(const RunResult& run, Panic panic);

/// What a command needs to have a kernel replay where there is none.
struct KernelAdvice {
  std::string first;   ///< what to do before, as a sentence
  std::string option;  ///< to add to the command
};
KernelAdvice how_to_replay(std::string_view version, const Kernel& kernel);

}  // namespace leanbridge::certify
