#pragma once
/// Runs a kernel on an export, and interprets its end. Private to this module.

#include "core/io/pool.hpp"
#include "export_kernels.hpp"
#include "kernel.hpp"
#include "lean_runner.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::certify {

inline constexpr const char* kExportName = "export.ndjson";

struct Answer {
  KernelAnswer answer = KernelAnswer::Failed;
  std::string why;   ///< a predicate without its subject; empty if it accepts
  std::string says;  ///< its output
};

Answer answer_of(const RunResult& run, Panic panic);

/// "The export is larger." as "the export is larger".
std::string as_clause(std::string sentence);

/// A kernel that was not asked yet. `bin`: the folder of the toolchain's programs; "": its version is
/// unknown.
KernelResult result_of(std::string name, const std::string& program, const std::string& sha256,
                       const std::filesystem::path& bin, const std::string& version);

void note(KernelResult& result, const Answer& answer);

/// Lets the kernel read `folder`/export.ndjson. Creates `work`, the only folder that the kernel can write to.
/// Errors: why it cannot be started, Cancelled.
asio::awaitable<Result<Answer>> run_on_export(const LeanRunner& runner, io::Pool& pool,
                                              const ExportKernel& kernel, std::filesystem::path folder,
                                              std::filesystem::path work,
                                              const std::vector<std::string>& axioms, io::CancelScope scope);

}  // namespace leanbridge::certify
