#pragma once
/// The first step of a verdict: what is judged, and with which Lean. Nothing of the challenge or the solution
/// has run when it ends. Private to this module.

#include "core/base/files.hpp"
#include "export_kernels.hpp"
#include "hashes.hpp"
#include "job.hpp"
#include "kernel.hpp"
#include "lean_runner.hpp"
#include "project_files.hpp"
#include "sources.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

struct Inputs {
  std::shared_ptr<const TemporaryFolder> temporary;  ///< removed with these inputs
  std::filesystem::path folder;                      ///< its real path: all that is compiled goes below it
  std::string challenge;                             ///< its text, of the request or of the revision
  ProjectFiles files;                                ///< of the working tree or of the revision
  std::optional<Baseline> baseline;                  ///< the one that the request names
  LeanRunner runner;                                 ///< has its toolchain, and has chosen its sandbox
  ModulePlaces places;                               ///< of compiled modules that are used as they are
  std::vector<std::filesystem::path> builds;  ///< with a baseline: folders that the project has compiled
  Kernel kernel;  ///< replays modules; without a command if there is none to be trusted, or it is not asked
  KernelSelection selection;
  std::vector<ExportKernel> export_kernels;  ///< to be asked besides it

  /// The files of all kernels.
  std::vector<std::filesystem::path> kernel_files() const;
  /// Where the modules of the project go that are compiled for this verdict.
  std::filesystem::path modules() const { return folder / "modules"; }
  bool has_modules() const;
  /// Where Lean finds modules besides the toolchain's.
  std::vector<std::filesystem::path> lean_path() const;
  /// The same without those that are compiled for this verdict: equal for all verdicts on a project.
  std::vector<std::filesystem::path> earlier_path() const;
  /// Where modules are read: the toolchain's first, the verdict's own if it has any.
  std::vector<std::filesystem::path> search_path() const;
};

/// A folder for what a verdict needs, with folders for find_lean() and for modules. Blocking.
Result<std::shared_ptr<const TemporaryFolder>> create_folders();

/// The toolchain that the project's lean-toolchain names, and a sandbox for it. `folder`: of
/// create_folders().
asio::awaitable<Result<LeanRunner>> find_lean(Job& job, ProjectFiles& files, std::filesystem::path folder);

/// Notes revision, hashes of both texts, sandbox, program of Lean and kernel. Errors: InvalidArgument (no
/// such revision or file in it, sorryAx among the allowed axioms, a bad baseline, a kernel that is no
/// program), LeanUnavailable, NotSupported (no sandbox for several at once), Timeout, Cancelled.
asio::awaitable<Result<Inputs>> read_inputs(Job& job);

}  // namespace leanbridge::certify
