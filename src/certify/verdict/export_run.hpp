#pragma once
/// Runs a kernel on an export, and says what its end means. Private to this module.

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
  std::string why;   ///< without a subject; empty if it accepts
  std::string says;  ///< what it printed
};

Answer answer_of(const RunResult& run, Panic panic);

/// "The export is larger." as "the export is larger".
std::string as_clause(std::string sentence);

/// A kernel that was not asked yet. `bin`: where the toolchain in use has its programs; "": its version is
/// not known.
KernelResult result_of(std::string name, const std::string& program, const std::string& sha256,
                       const std::filesystem::path& bin, const std::string& version);

void note(KernelResult& result, const Answer& answer);

/// Has the kernel read `folder`/export.ndjson. `work` is created, and all that it can write to. Errors: why
/// it cannot be started, Cancelled.
asio::awaitable<Result<Answer>> run_on_export(const LeanRunner& runner, io::Pool& pool,
                                              const ExportKernel& kernel, std::filesystem::path folder,
                                              std::filesystem::path work,
                                              const std::vector<std::string>& axioms, io::CancelScope scope);

}  // namespace leanbridge::certify
