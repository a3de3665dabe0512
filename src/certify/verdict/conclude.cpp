#include "conclude.hpp"

#include "core/base/try.hpp"
#include "kernel_answers.hpp"

#include <algorithm>
#include <utility>

namespace leanbridge::certify {

namespace {

/// Advice about a kernel that could not check.
Missing missing_answer(const Certificate& certificate, const KernelResult& kernel) {
  const std::string why = kernel.why.value_or("was not asked");
  std::string how =
      why == kUnfit ? "Pass one for Lean " + certificate.toolchain.version + ", as --kernel." : "";
  if (kernel.says)
    how += how.empty() ? "Find out why: it says: " + *kernel.says : " It says: " + *kernel.says;
  return {kernel.name + " " + why, how, {}, {}};
}

/// One rejection prevents a certificate. With --kernels, each of them must accept. Without, the kernel that
/// replays modules must accept or, if there is none, any other. An additional kernel never makes a verdict
/// easier to get, since the judged party can make another kernel run out of time.
void weigh_answers(Certificate& certificate, const KernelSelection& selection, Objections& objections) {
  const std::vector<KernelResult>& kernels = certificate.kernels;
  const auto first_with = [&](KernelAnswer answer) {
    return std::find_if(kernels.begin(), kernels.end(),
                        [&](const KernelResult& kernel) { return kernel.answer == answer; });
  };
  const auto accepted = first_with(KernelAnswer::Accepted), rejected = first_with(KernelAnswer::Rejected);
  const auto is_replaying = [&](std::size_t i) { return i == 0 && certificate.kernel.has_value(); };
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (kernels[i].answer == KernelAnswer::Accepted)
      certificate.checked_by.push_back((is_replaying(i) ? "replay by " : "check of the export by ") +
                                       kernels[i].name);
  if (rejected != kernels.end() && accepted == kernels.end())
    return refuse_all(
        certificate, objections,
        rejected->name + " " + rejected->why.value_or("") + ". It says: " + rejected->says.value_or(""));
  if (rejected != kernels.end())
    objections.missing.push_back(
        {rejected->name + " does not accept what " + accepted->name + " accepts, so one of them is wrong",
         "Report it to the authors of both kernels. It says: " + rejected->says.value_or(""),
         {},
         {}});
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const bool could_not =
        kernels[i].answer != KernelAnswer::Accepted && kernels[i].answer != KernelAnswer::Rejected;
    if (could_not && (selection.is_given() || accepted == kernels.end() || is_replaying(i)))
      objections.missing.push_back(missing_answer(certificate, kernels[i]));
  }
  if (const std::size_t wanted = selection.first.value_or(1); selection.is_given() && kernels.size() < wanted)
    objections.missing.push_back({"of " + std::to_string(wanted) + " kernels that must accept it, " +
                                      std::to_string(kernels.size()) + " were found",
                                  "Install more, such as those that releases of Lean have since 4.35.",
                                  {},
                                  {}});
}

/// A program that could have kept Lean's kernel from checking the solution while it was compiled, as a
/// clause.
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
  if (!objections.refused) {
    CO_CHECK(co_await ask_kernels(job, inputs, compiled, compared.solution));
    if (certificate.kernels.empty() && !inputs.selection.is_given())
      accept_without_replay(job, inputs, compiled, objections);
    else
      weigh_answers(certificate, inputs.selection, objections);
  }
  if (certificate.approval && !certificate.approval->holds)
    objections.missing.push_back({"what is stated is not what " + certificate.approval->approved_by +
                                      " approved: " + certificate.approval->changes.front(),
                                  "Read what has changed, and approve it anew: --approve NAME.",
                                  {},
                                  {}});
  decide(certificate, std::move(objections), job.request.command);
  if (certificate.approval && is_claim(certificate.verdict)) {
    certificate.reason += " What is stated is as " + certificate.approval->approved_by + " approved it at " +
                          certificate.approval->approved_at + ".";
    if (certificate.approval->note) certificate.reason += " But " + *certificate.approval->note;
  }
  co_return Result<void>();
}

}  // namespace leanbridge::certify
