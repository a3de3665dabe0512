#pragma once
/// The kernels that check a solution: one that replays its declarations, and those that read an export. Finds
/// their programs, and interprets their ends. Private to this module.

#include "certify/untrusted/run.hpp"
#include "core/base/error.hpp"
#include "foundations.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::certify {

/// The places to search for a kernel.
struct KernelPlaces {
  std::string command;  ///< --kernel; empty: find one
  std::filesystem::path sysroot;
  std::filesystem::path root;
  bool trust_packages = false;        ///< programs built by the project's packages count as they are
  const FileHashes* known = nullptr;  ///< the project's checkers at the time of the baseline; may be null
};

struct Kernel {
  std::vector<std::string> command;  ///< without the names of modules; empty: there is no trusted kernel
  std::string sha256;                ///< of the kernel's program
  /// Files that the command names, and the libraries of their toolchain. These must not change while an
  /// untrusted program runs. Their folders are readable in the sandbox.
  std::vector<std::filesystem::path> files;
  /// A lean4checker that the project has built. Anybody who works in the project could have replaced it.
  std::optional<std::filesystem::path> untrusted;
};

/// A command from a command line: its program is a path, or the name of a program of the toolchain or of the
/// system; files among its arguments become absolute. InvalidArgument names `option`. Blocking.
Result<std::vector<std::string>> read_command(const std::string& command,
                                              const std::filesystem::path& sysroot,
                                              const std::string& option);

/// The files that a command names, and the libraries of its program's toolchain. Blocking.
std::vector<std::filesystem::path> files_of_command(const std::vector<std::string>& command);

/// Finds the kernel: the given one, the toolchain's leanchecker, the project's lean4checker if it is trusted,
/// or the system's. InvalidArgument if the given one is no program. Blocking.
Result<Kernel> find_kernel(const KernelPlaces& places);

/// The lean4checkers that the project and its packages have built, by their paths relative to the root.
/// Blocking.
Result<FileHashes> hashes_of_checkers(const std::filesystem::path& root);

enum class ReplayEnd {
  Accepted,
  Rejected,
  Failed,  ///< it could not check, so it neither accepts nor rejects
};
/// The meaning of exit code 101, with which programs in Rust end after a panic. nanoda rejects in this way,
/// and an unknown kernel may; a program in Lean does not.
enum class Panic { Rejects, Fails };
/// The result of a replay. Only the exit code can accept. A rejection for lack of memory or time is a
/// failure.
ReplayEnd end_of_replay(const RunResult& run, Panic panic);

/// Advice about a kernel for a machine that has none.
struct KernelAdvice {
  std::string first;   ///< what to do first, as a sentence
  std::string option;  ///< an option to add to the command
};
KernelAdvice how_to_replay(std::string_view version, const Kernel& kernel);

/// The words of --kernels. Without --kernels, all kernels that are found are asked, and one acceptance is
/// enough.
struct KernelSelection {
  bool all = false;                  ///< all kernels that are found
  std::optional<std::size_t> first;  ///< this many of them
  std::vector<std::string> named;    ///< by their names, or as commands

  bool is_given() const { return all || first || !named.empty(); }

  /// InvalidArgument: the words cannot be combined.
  static Result<KernelSelection> from(const std::vector<std::string>& words);
};

struct ExportKernel {
  std::string name;
  std::vector<std::string> command;  ///< without the file to read
  enum class Input {
    Export,
    NanodaConfig,  ///< a JSON file that names the export
  } input = Input::Export;
  Panic panic = Panic::Rejects;
  bool is_of_toolchain = false;
  std::string sha256;  ///< of the kernel's program
  /// These must not change while an untrusted program runs; their folders are readable in the sandbox.
  std::vector<std::filesystem::path> files;
};

/// The places to search for kernels.
struct ExportKernelPlaces {
  KernelSelection selection;
  std::filesystem::path sysroot;
  std::string path;  ///< the user's PATH, to find nanoda; may be empty
  /// Folders that the judged party can write to: programs there are never found by PATH.
  std::vector<std::filesystem::path> untrusted;
};

/// Finds the toolchain's kernels and nanoda; with names, only the named ones. InvalidArgument: a command
/// names no program. Blocking.
Result<std::vector<ExportKernel>> find_export_kernels(const ExportKernelPlaces& places);

/// nanoda's configuration as JSON.
std::string nanoda_config(const std::filesystem::path& file, const std::vector<std::string>& axioms);

}  // namespace leanbridge::certify
