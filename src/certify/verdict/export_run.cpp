#include "export_run.hpp"

#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/lean/toolchain.hpp"

#include <cctype>
#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

constexpr const char* kConfigName = "nanoda.json";

std::string said_by(const RunResult& run) {
  return quotable(run.errors.empty() ? run.output : run.errors);
}

}  // namespace

std::string as_clause(std::string sentence) {
  if (sentence.ends_with('.')) sentence.pop_back();
  if (!sentence.empty() && !sentence.starts_with('`'))
    sentence.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence.front())));
  return sentence;
}

Answer answer_of(const RunResult& run, Panic panic) {
  if (run.timed_out) return {KernelAnswer::Failed, "did not end in time", ""};
  switch (end_of_replay(run, panic)) {
    case ReplayEnd::Accepted:
      return {KernelAnswer::Accepted, "", ""};
    case ReplayEnd::Rejected:
      return {KernelAnswer::Rejected, "does not accept the solution's declarations", said_by(run)};
    case ReplayEnd::Failed:
      break;
  }
  return {KernelAnswer::Failed, "failed with exit code " + std::to_string(run.exit_code), said_by(run)};
}

KernelResult result_of(std::string name, const std::string& program, const std::string& sha256,
                       const fs::path& bin, const std::string& version) {
  KernelResult result{std::move(name), program, sha256, {}, KernelAnswer::NotAsked, {}, {}, {}};
  if (!version.empty() && fs::path(program).parent_path() == bin) result.version = version;
  result.defects = lean::defects_of_kernel(result.name, result.version.value_or(""));
  return result;
}

void note(KernelResult& result, const Answer& answer) {
  result.answer = answer.answer;
  if (!answer.why.empty()) result.why = answer.why;
  if (!answer.says.empty()) result.says = answer.says;
}

asio::awaitable<Result<Answer>> run_on_export(const LeanRunner& runner, io::Pool& pool,
                                              const ExportKernel& kernel, fs::path folder, fs::path work,
                                              const std::vector<std::string>& axioms, io::CancelScope scope) {
  const fs::path file = folder / kExportName;
  const fs::path config = work / kConfigName;
  const auto prepare = [work, config, content = nanoda_config(file, axioms)]() -> Result<void> {
    std::error_code ignored;
    fs::create_directories(work, ignored);
    return write_new_file(config, content);
  };
  CO_CHECK(co_await pool.run(prepare, scope));
  std::vector<std::string> command = kernel.command;
  command.push_back((kernel.input == ExportKernel::Input::NanodaConfig ? config : file).string());
  RunPlaces places;
  places.readable.push_back(std::move(folder));
  for (const fs::path& own : kernel.files) places.readable.push_back(own.parent_path());
  places.writable = std::move(work);
  CO_TRY(const RunResult run, co_await runner.run_other(std::move(command), std::move(places), scope));
  co_return answer_of(run, kernel.panic);
}

}  // namespace leanbridge::certify
