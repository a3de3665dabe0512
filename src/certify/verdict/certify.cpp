#include "certify.hpp"

#include "certify/untrusted/run.hpp"
#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/try.hpp"
#include "core/lean/project.hpp"
#include "steps.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kConfiguration = "comparator.json";
constexpr std::size_t kMaxSaid = std::size_t{1} << 20U;

asio::awaitable<Result<RunResult>> run_lake(const Job& job, std::vector<std::string> words) {
  CO_TRY(const fs::path lake, lean::find_lake(job.request.lake));
  io::ChildCommand command;
  command.argv = {lake.string()};
  command.argv.insert(command.argv.end(), words.begin(), words.end());
  command.directory = job.request.root;
  command.environment = job.request.environment;
  co_return co_await run_program(job.request.spawn, std::move(command), kMaxSaid, job.scope);
}

/// Whether the comparator rejects the solution. It exits with 1 after any failure: the solution does not
/// compile, a kernel was killed, the disk is full (Lake/CLI/Check.lean). It rejects in these words
/// (Lake/Check/{Compare,Axioms}.lean), in its last line.
bool says_rejected(std::string_view errors) {
  constexpr auto kRejections = std::to_array<std::string_view>(
      {"Const not found in solution", "Constant not found in solution",
       "Const does not match between challenge", "Challenge and solution constant kind don't match",
       "Challenge and solution theorem statement do not match", "Solution constant is not a ",
       "Illegal axiom detected"});
  constexpr std::string_view kError = "error: ";
  while (errors.ends_with('\n')) errors.remove_suffix(1);
  // Programs that it ran may have printed all lines but the last, and even the beginning of the last.
  std::string_view last = errors.substr(errors.rfind('\n') + 1);  // npos + 1 is 0
  if (!last.starts_with(kError)) return false;
  last.remove_prefix(kError.size());
  return std::ranges::any_of(kRejections, [&](std::string_view words) { return last.starts_with(words); });
}

KernelAnswer answer_of(const RunResult& run) {
  if (run.succeeded()) return KernelAnswer::Accepted;
  const bool rejects = !run.timed_out && run.exit_code == 1 && says_rejected(run.errors);
  return rejects ? KernelAnswer::Rejected : KernelAnswer::Failed;
}

/// Whether the answer agrees with the verdict. For the comparator, a disproof is no solution, and a filled-in
/// proof is one.
bool agrees(Outcome verdict, KernelAnswer answer) {
  return verdict == Outcome::Refuted ? answer == KernelAnswer::Rejected : answer == KernelAnswer::Accepted;
}

void take_back(Certificate& certificate, const ComparatorFacts& facts) {
  certificate.verdict = Outcome::Incomplete;
  certificate.reason = "`lake comparator` does not agree: it " + facts.why.value_or("accepts") + ".";
  certificate.complete_with =
      "Run `lake comparator` in the project, and read what it says" + (facts.says ? ": " + *facts.says : ".");
  for (NameVerdict& name : certificate.names)
    if (is_claim(name.verdict)) {
      name.verdict = Outcome::Incomplete;
      name.reason = certificate.reason;
    }
}

/// NotSupported if Lake has no `comparator` (it exists since Lean 4.35); LeanUnavailable, Timeout, Cancelled.
asio::awaitable<Result<void>> require_comparator(const Job& job) {
  CO_TRY(const RunResult run, co_await run_lake(job, {"help", "comparator"}));
  if (run.timed_out) co_return fail(ErrorKind::Timeout, "`lake help` did not answer in time.");
  // For an unknown command, Lake prints its general help.
  if (run.succeeded() && run.output.find("comparator") != std::string::npos) co_return Result<void>{};
  co_return fail(ErrorKind::NotSupported, "The Lake of this toolchain has no `comparator`.",
                 "Leave out --also-comparator, or use Lean 4.35 or later.");
}

/// Asks it Request::comparator and notes the answer in the certificate. If they disagree, takes back a
/// verdict that claims a proof. Errors: Cancelled, or the reason why it cannot be started.
asio::awaitable<Result<void>> ask_comparator(Job& job) {
  job.request.on_step("Asking `lake comparator`");
  const auto write = [text = *job.request.comparator]() -> Result<std::shared_ptr<const TemporaryFolder>> {
    TRY(auto folder, TemporaryFolder::create());
    TRY_DONE(write_new_file(folder->path() / kConfiguration, text));
    return folder;
  };
  CO_TRY(const auto folder, co_await job.run(write));
  CO_TRY(const RunResult run,
         co_await run_lake(job, {"comparator", "--config", (folder->path() / kConfiguration).string()}));
  ComparatorFacts facts;
  facts.answer = answer_of(run);
  if (facts.answer != KernelAnswer::Accepted) {
    facts.why = facts.answer == KernelAnswer::Rejected ? "rejects the solution"
                : run.timed_out                        ? "did not end in time"
                                : "ended with exit code " + std::to_string(run.exit_code);
    if (std::string says = quotable(run.errors.empty() ? run.output : run.errors); !says.empty())
      facts.says = std::move(says);
  }
  if (is_claim(job.certificate.verdict) && !agrees(job.certificate.verdict, facts.answer))
    take_back(job.certificate, facts);
  job.certificate.timed_out = job.certificate.timed_out || run.timed_out;
  job.certificate.comparator = std::move(facts);
  co_return Result<void>{};
}

asio::awaitable<Result<void>> run_steps(Job& job) {
  if (job.request.comparator) {
    CO_CHECK(co_await require_comparator(job));
  }
  CO_TRY(Inputs inputs, co_await read_inputs(job));
  CO_TRY(const Compilation compiled, co_await compile(job, inputs));
  CO_TRY(SolutionFindings compared, co_await compare(job, inputs, compiled));
  CO_CHECK(co_await conclude(job, inputs, compiled, std::move(compared)));
  if (!job.request.comparator) co_return Result<void>{};
  co_return co_await ask_comparator(job);
}

}  // namespace

asio::awaitable<Result<Certificate>> certify(Request request, io::Pool& pool, io::CancelScope scope) {
  Job job{std::move(request), pool, std::move(scope), {}};
  if (const auto done = co_await run_steps(job); !done) {
    if (done.error().kind != ErrorKind::Timeout) co_return tl::unexpected(done.error());
    decide_late(job.certificate, done.error().message);
  }
  co_return std::move(job.certificate);
}

asio::awaitable<Result<json>> record_baseline(fs::path root, std::string lake, io::Spawn spawn,
                                              io::Pool& pool, io::CancelScope scope) {
  const auto create = []() -> Result<std::shared_ptr<const TemporaryFolder>> {
    return TemporaryFolder::create();
  };
  CO_TRY(const auto temporary, co_await pool.run(create, scope));
  CO_TRY(const Toolchain toolchain,
         co_await find_toolchain(spawn, lake, lean::environment_for_lake(), temporary->path(),
                                 ToolchainChoice{root, ""}, scope));
  const auto hash = [root, toolchain]() -> Result<json> {
    Baseline baseline;
    HashCache known;
    TRY(baseline.programs, hashes_of_programs(toolchain.sysroot, toolchain.lean, known));
    TRY(baseline.toolchain, hashes_below(toolchain.library()));
    const std::vector<lean::Package> packages = lean::packages_of(root);
    for (const fs::path& folder : build_folders(root, packages)) {
      TRY(FileHashes found, hashes_below(folder));
      baseline.modules.merge(found);
    }
    for (const lean::Package& package : packages) {
      if (!package.is_fetched) continue;
      TRY(baseline.packages[package.name], PackageRecord::of(package));
    }
    TRY(baseline.checkers, hashes_of_checkers(root));
    return baseline.to_json();
  };
  co_return co_await pool.run(hash, scope);
}

json record_of(const Certificate& certificate) {
  json value = wire::write(certificate);
  std::string hash = sha256_of(value.dump(-1, ' ', true, json::error_handler_t::replace));
  return {{"certificate", std::move(value)}, {"sha256", std::move(hash)}};
}

}  // namespace leanbridge::certify
