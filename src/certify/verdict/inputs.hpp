#pragma once
/// The first step of a verdict: finds the texts to judge and the Lean to use. No part of the challenge or the
/// solution has run when it ends. Private to this module.

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
  std::filesystem::path folder;                      ///< its real path; everything that is compiled goes
                                                     ///< below it
  std::string challenge;                             ///< its text, from the request or the revision
  ProjectFiles files;                                ///< from the working tree or the revision
  std::optional<Baseline> baseline;                  ///< the baseline that the request names
  LeanRunner runner;                                 ///< it knows its toolchain, and has chosen its sandbox
  ModulePlaces places;                               ///< the places of compiled modules that are used as they
                                                     ///< are
  std::vector<std::filesystem::path> builds;         ///< with a baseline: folders compiled by the project
  Kernel kernel;  ///< replays modules; it has no command if no trusted kernel exists, or if it is not asked
  KernelSelection selection;
  std::vector<ExportKernel> export_kernels;  ///< further kernels to ask

  /// The files of all kernels.
  std::vector<std::filesystem::path> kernel_files() const;
  /// The folder for modules of the project that are compiled for this verdict.
  std::filesystem::path modules() const { return folder / "modules"; }
  bool has_modules() const;
  /// The folders in which Lean finds modules besides the toolchain's.
  std::vector<std::filesystem::path> lean_path() const;
  /// The folders of lean_path() without the modules compiled for this verdict: equal for all verdicts on a
  /// project.
  std::vector<std::filesystem::path> earlier_path() const;
  /// The folders from which we read modules: the toolchain's first, then the verdict's own, if it has any.
  std::vector<std::filesystem::path> search_path() const;
};

/// Makes a folder for a verdict, with folders for find_lean() and for modules. Blocking.
Result<std::shared_ptr<const TemporaryFolder>> create_folders();

/// Finds the toolchain that the project's lean-toolchain names, and a sandbox for it. `folder`: from
/// create_folders().
asio::awaitable<Result<LeanRunner>> find_lean(Job& job, ProjectFiles& files, std::filesystem::path folder);

/// Notes the revision, the hashes of both texts, the sandbox, the program of Lean and the kernel. Errors:
/// InvalidArgument (no such revision or file in it, sorryAx among the allowed axioms, a bad baseline, a
/// kernel that is no program), LeanUnavailable, NotSupported (several at once without a sandbox), Timeout,
/// Cancelled.
asio::awaitable<Result<Inputs>> read_inputs(Job& job);

}  // namespace leanbridge::certify
