#include "conclude.hpp"

#include "leanbridge/base/try.hpp"

#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

std::string said_by(const RunResult& run) {
  return quotable(run.errors.empty() ? run.output : run.errors);
}

/// Replays the project's modules and the candidate, of which these are the parts. The kernel reads the very
/// bytes that were compared, in a folder that did not exist while the solution was compiled.
asio::awaitable<Result<RunResult>> run_kernel(const Job& job, const Inputs& inputs,
                                              const std::vector<std::string>& modules,
                                              std::vector<std::string> parts) {
  const auto prepare = [from = inputs.modules(), modules,
                        parts = std::move(parts)]() -> Result<std::shared_ptr<const TemporaryFolder>> {
    TRY(auto fresh, TemporaryFolder::create());
    std::error_code ignored;
    fs::create_directory(fresh->path() / "work", ignored);
    TRY_DONE(copy_modules(from, fresh->path() / "modules", modules));
    TRY_DONE(write_parts(fresh->path() / "modules", kCandidate, parts));
    return fresh;
  };
  CO_TRY(const auto fresh, co_await job.pool.run(prepare, job.scope));
  const fs::path folder = fs::canonical(fresh->path());
  std::vector<std::string> command = inputs.kernel.command;
  command.insert(command.end(), modules.begin(), modules.end());
  command.emplace_back(kCandidate);
  RunPlaces places;
  places.search_path = inputs.lean_path();
  places.search_path.front() = folder / "modules";
  for (const fs::path& file : inputs.kernel.files) places.readable.push_back(file.parent_path());
  places.writable = folder / "work";
  CO_TRY(RunResult run, co_await inputs.runner.run_other(std::move(command), std::move(places), job.scope));
  if (run.timed_out)
    co_return fail(ErrorKind::Timeout,
                   fs::path(inputs.kernel.command.front()).filename().string() + " did not end in time.");
  co_return run;
}

/// A kernel that fits another version, or needs other arguments, rejects every module. It does not count
/// against a solution if it rejects the challenge as well.
asio::awaitable<Result<void>> confirm_rejection(Job& job, const Inputs& inputs, const Compiled& compiled,
                                                std::string name, std::string said, Objections& objections) {
  job.request.on_step("asking the kernel about the challenge");
  CO_TRY(const RunResult run,
         co_await run_kernel(job, inputs, compiled.project.modules, compiled.challenge_parts));
  if (end_of_replay(run) == ReplayEnd::Accepted)
    refuse_all(job.certificate, objections,
               name + " does not accept the solution's declarations. It says: " + said);
  else
    objections.missing.push_back(
        {name + " accepts neither the solution nor the challenge, so it is no kernel for them",
         "Pass one for Lean " + job.certificate.toolchain.version + ", as --kernel. It says: " + said,
         {},
         {}});
  co_return Result<void>();
}

asio::awaitable<Result<void>> replay(Job& job, const Inputs& inputs, const Compiled& compiled,
                                     Objections& objections) {
  job.request.on_step("replaying the proofs in a kernel");
  CO_TRY(const RunResult run,
         co_await run_kernel(job, inputs, compiled.project.modules, compiled.solution.parts));
  const std::string name = fs::path(inputs.kernel.command.front()).filename().string();
  KernelAnswer& answer = job.certificate.kernel.value().answer;
  switch (end_of_replay(run)) {
    case ReplayEnd::Accepted:
      answer = KernelAnswer::Accepted;
      job.certificate.kernel_replayed = true;
      job.certificate.checked_by.push_back("replay by " + name);
      break;
    case ReplayEnd::Failed:
      answer = KernelAnswer::Failed;
      objections.missing.push_back({name + " failed with exit code " + std::to_string(run.exit_code),
                                    "Find out why: it says: " + said_by(run),
                                    {},
                                    {}});
      break;
    case ReplayEnd::Rejected:
      answer = KernelAnswer::Rejected;
      co_return co_await confirm_rejection(job, inputs, compiled, name, said_by(run), objections);
  }
  co_return Result<void>();
}

/// What could have kept Lean's kernel from checking the solution while it was compiled, as a clause.
std::optional<std::string> find_program(const Request& request, const CompiledProject& project) {
  if (const auto program = program_in(request.solution)) return "the solution, " + *program;
  for (const std::string& option : request.options)
    if (const std::string name = option.substr(0, option.find('=')); program_in("set_option " + name))
      return "the option " + name;
  return project.program;
}

void accept_without_replay(const Job& job, const Inputs& inputs, const Compiled& compiled,
                           Objections& objections) {
  const bool waived = job.request.without_replay;
  const auto program = find_program(job.request, compiled.project);
  if (waived && !program) return;
  KernelAdvice advice = how_to_replay(job.certificate.toolchain.version, inputs.kernel);
  objections.missing.push_back({waived ? "programs may have bypassed the kernel (" + *program + ")"
                                       : "no kernel has replayed the proof",
                                std::move(advice.first), std::move(advice.option),
                                program ? "" : "--without-replay"});
}

}  // namespace

asio::awaitable<Result<void>> conclude(Job& job, const Inputs& inputs, const Compiled& compiled,
                                       Compared compared) {
  Certificate& certificate = job.certificate;
  if (compiled.solution.timed_out) {
    certificate.verdict = Outcome::Incomplete;
    certificate.reason = "The solution: " + compiled.solution.why;
    certificate.complete_with = "Pass a longer timeout, or give it more memory.";
    certificate.timed_out = true;
    for (NameVerdict& name : certificate.names) name.reason = certificate.reason;
    co_return Result<void>();
  }
  Objections& objections = compared.objections;
  if (!objections.refused && inputs.kernel.command.empty()) {
    accept_without_replay(job, inputs, compiled, objections);
  } else if (!objections.refused) {
    CO_CHECK(co_await replay(job, inputs, compiled, objections));
  }
  decide(certificate, std::move(objections), job.request.command);
  co_return Result<void>();
}

}  // namespace leanbridge::certify
