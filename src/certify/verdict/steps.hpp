#pragma once
/// The steps of a verdict, in their order, and what each hands to the next. Private to this module.

#include "certify.hpp"
#include "conclude.hpp"
#include "core/base/files.hpp"
#include "foundations.hpp"
#include "kernels.hpp"
#include "lean_runner.hpp"
#include "page.hpp"
#include "project_files.hpp"
#include "text_compiler.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::certify {

/// One question on its way to its verdict: read_inputs(), compile(), compare(), conclude(). Belongs to the
/// loop's thread, and outlives the steps.
///
/// The steps are coroutines there, in the order in which they are read. Whatever blocks is a function on the
/// pool that keeps all it needs: it goes on when the wait for it has ended.
struct Job {
  Request request;
  io::Pool& pool;
  io::CancelScope scope;
  /// The facts so far. Each step notes its facts here as soon as it has them, so that they are reported even
  /// if time runs out in the next step.
  Certificate certificate;

  /// Runs `work` on the pool.
  template <class Work>
  auto run(Work work) const {
    return pool.run(std::move(work), scope);
  }
  /// Runs `work` on the pool, with a set.
  template <class Work>
  auto use(SharedSet set, Work work) const {
    return run([set = std::move(set), work = std::move(work)]() mutable { return set.use(std::move(work)); });
  }
  /// The knowledge of all pairs of its batch; null: it is alone, or solutions could change the files.
  Batch* batch() const { return certificate.sandbox == Sandbox::None ? nullptr : request.batch.get(); }
};

/// Whether the wait for something has ended, so that the error is none of the thing itself.
inline bool is_end_of_wait(const Error& error) {
  return error.kind == ErrorKind::Cancelled || error.kind == ErrorKind::Timeout;
}

/// The first step finds the texts to judge and the Lean to use. No part of the challenge or the solution has
/// run when it ends.
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
  /// Whether a module is the project's own, or the challenge or solution itself.
  std::function<bool(const olean::SetModule&)> is_project() const;
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

/// The project's modules that the challenge imports; their compiled files are in Inputs::modules().
struct CompiledProject {
  std::vector<std::string> modules;    ///< their names, imports before importers
  std::optional<std::string> program;  ///< the first program in a module of the working tree, as a clause
};

/// The second step compiles: the challenge's imports, the challenge, and the solution, none of them trusted.
struct Compilation {
  CompiledProject project;
  SharedSet challenge;                       ///< opened with its imports
  std::vector<std::string> challenge_parts;  ///< the bytes that it was opened from
  ImportHashes imports;                      ///< the files that the challenge rests on, before the solution
                                             ///< has run
  std::shared_ptr<const WatchedFoundations> watched;  ///< their state at that time
  std::int64_t before_solution = 0;                   ///< in ns of the system's clock
  std::int64_t before_solutions = 0;                  ///< in a batch: before the first solution
  CompiledText solution;                              ///< it was not opened, since it may be damaged on
                                                      ///< purpose
};

/// Notes Lean's version with its defects, and the names in question. Errors never concern the solution:
/// InvalidArgument (the challenge or one of its imports does not compile, or has no such theorem),
/// LeanUnavailable, NotSupported, Internal, Timeout, Cancelled.
asio::awaitable<Result<Compilation>> compile(Job& job, Inputs& inputs);

/// The hashes, extended by those of a set's imports.
asio::awaitable<Result<ImportHashes>> with_imports(const Job& job, const Inputs& inputs, ImportHashes hashes,
                                                   SharedSet set);

/// Opens a compiled text with its imports, which may be known already. The errors of open_set().
asio::awaitable<Result<SharedSet>> open_compiled(const Job& job, const Inputs& inputs,
                                                 std::vector<std::string> parts, SharedImports known);

/// Compiles the page's lines behind the challenge, whose compiled file is `parts`, and compares the terms.
/// Lines that Lean reads as another term, or does not understand, get the term in full (PageItem::in_full).
/// Page::not_read tells why no line was compared. Lean runs as for the challenge, for at most a minute and a
/// third of the remaining time. Errors: Cancelled, and errors of our own files.
asio::awaitable<Result<Page>> read_back(const Job& job, const Inputs& inputs, SharedSet challenge,
                                        std::vector<std::string> parts, Page page);

/// The third step compares the compiled statements, walks the axioms, and checks the imports. Runs nothing.
struct SolutionFindings {
  /// The solution with its imports; null if it is refused before it is opened, or was not compiled in time.
  SharedSet solution;
  ImportHashes imports;   ///< the files that both rest on, as far as they were hashed
  Objections objections;  ///< the objections to a certificate so far
};

/// Notes the verdict that each name would have if nothing were missing, the hashes, and the checks that ran.
/// Errors: Internal (a damaged challenge), Timeout, Cancelled.
asio::awaitable<Result<SolutionFindings>> compare(Job& job, const Inputs& inputs,
                                                  const Compilation& compiled);

/// Why the answer of a kernel that rejects everything does not count.
inline constexpr const char* kUnfit =
    "accepts neither the solution nor the challenge, so it is no kernel for them";

/// Fills Certificate::kernels, and `exported` if an export was made. A kernel that rejects the solution must
/// accept the challenge, or the constants in its statements: otherwise it does not suit them and has failed.
/// Errors: Timeout if time runs out and no kernel has accepted, Cancelled, and errors of starting a program.
asio::awaitable<Result<void>> ask_kernels(Job& job, const Inputs& inputs, const Compilation& compiled,
                                          SharedSet solution);

/// The last step: kernels check the proofs, and the verdict is decided. Completes the job's certificate.
/// Errors: those of starting the kernel, Timeout, Cancelled.
asio::awaitable<Result<void>> conclude(Job& job, const Inputs& inputs, const Compilation& compiled,
                                       SolutionFindings compared);

}  // namespace leanbridge::certify
