#include "conclude.hpp"

#include "core/base/try.hpp"
#include "core/lean/axioms.hpp"
#include "core/text/untrusted.hpp"
#include "judge.hpp"
#include "steps.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace leanbridge::certify {

namespace {

enum class Waivers { Use, Leave };

std::string command_with(const std::vector<Missing>& missing, const std::vector<std::string>& command,
                         Waivers waivers) {
  std::string line;
  for (const std::string& word : command) line += (line.empty() ? "" : " ") + text::shell_word(word);
  for (const Missing& one : missing) {
    const bool waived = waivers == Waivers::Use && !one.waiver.empty();
    const std::string& option = waived ? one.waiver : one.option;
    if (!option.empty()) line += " " + option;
  }
  return line;
}

/// A clause about the kernels that have accepted and the kernels that could not check.
std::string words_about_kernels(const std::vector<KernelResult>& kernels) {
  std::vector<std::string> accepted, others;
  for (const KernelResult& kernel : kernels)
    (kernel.answer == KernelAnswer::Accepted ? accepted : others).push_back(kernel.name);
  const auto list = [](const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  };
  if (accepted.empty()) return "; no kernel has replayed the proofs";
  return (accepted.size() == 1 ? std::string(", and a kernel has replayed the proofs")
                               : ", and " + std::to_string(accepted.size()) +
                                     " kernels accept the proofs: " + list(accepted)) +
         (others.empty() ? "" : " (" + list(others) + " could not check them)");
}

/// The names of the theorems with this verdict.
std::vector<std::string> names_with(const Certificate& certificate, Outcome verdict) {
  std::vector<std::string> names;
  for (const NameVerdict& name : certificate.names)
    if (name.verdict == verdict) names.push_back(name.name);
  return names;
}

/// "`a` and 2 others".
std::string first_of(const std::vector<std::string>& names) {
  const std::size_t others = names.size() - 1;
  return "`" + names.front() + "`" +
         (others == 0 ? "" : " and " + std::to_string(others) + (others == 1 ? " other" : " others"));
}

/// The verdict that follows from the verdicts on all names. The judged party chooses between a proof and a
/// disproof, and how a hole is filled, so one of these prevents the whole from being certified.
Outcome verdict_of_all(const Certificate& certificate) {
  for (const Outcome verdict : {Outcome::Refuted, Outcome::Filled})
    if (!names_with(certificate, verdict).empty()) return verdict;
  return Outcome::Certified;
}

std::string reason_of(const Certificate& certificate) {
  const std::string checks = ", from allowed axioms only" + more_axioms(certificate) +
                             words_about_kernels(certificate.kernels) + ".";
  if (certificate.verdict == Outcome::Refuted)
    return "The challenge is false: the solution proves the negation of " +
           first_of(names_with(certificate, Outcome::Refuted)) + checks;
  if (certificate.verdict == Outcome::Filled)
    return "It is proved, about what the solution has filled in: " +
           first_of(names_with(certificate, Outcome::Filled)) + checks +
           " Read the holes: only a person can say whether their values are an answer.";
  const std::size_t count = certificate.names.size();
  return (count == 1 ? "The theorem is" : "All " + std::to_string(count) + " theorems are") +
         std::string(" proved as stated") + checks;
}

}  // namespace

void refuse_all(Certificate& certificate, Objections& objections, const std::string& why) {
  objections.refused = why;
  for (NameVerdict& name : certificate.names) {
    name.verdict = Outcome::Refused;
    name.reason = why;
  }
}

bool is_claim(Outcome verdict) {
  return verdict != Outcome::Refused && verdict != Outcome::Incomplete;
}

void decide(Certificate& certificate, Objections objections, const std::vector<std::string>& command) {
  auto& [refused, missing] = objections;
  if (refused) {
    certificate.verdict = Outcome::Refused;
    certificate.reason = *refused;
    for (NameVerdict& name : certificate.names) {
      if (name.verdict == Outcome::Refused) continue;
      name.verdict = Outcome::Incomplete;
      name.reason = "Not certified, because the whole is refused.";
    }
    return;
  }
  for (const NameVerdict& name : certificate.names) {
    if (is_claim(name.verdict)) continue;
    missing.push_back(
        {name.name + ": " + name.reason, "Use a toolchain whose library has its proofs.", {}, {}});
    break;  // the others have their own reasons
  }
  if (missing.empty()) {
    certificate.verdict = verdict_of_all(certificate);
    certificate.reason = reason_of(certificate);
    return;
  }
  certificate.verdict = Outcome::Incomplete;
  const std::string what = what_is_missing(missing);
  certificate.reason = "Nothing speaks against it, but " + what + (what.ends_with('.') ? "" : ".");
  certificate.complete_with = how_to_complete(missing, command);
  for (NameVerdict& name : certificate.names) {
    if (!is_claim(name.verdict)) continue;
    name.verdict = Outcome::Incomplete;
    name.reason += " But " + missing.front().what + ".";
  }
}

void decide_late(Certificate& certificate, const std::string& why) {
  certificate.verdict = Outcome::Incomplete;
  certificate.reason = "The time was up: " + why;
  certificate.complete_with = "Pass a longer timeout.";
  certificate.timed_out = true;
  for (NameVerdict& name : certificate.names)
    if (is_claim(name.verdict)) name.verdict = Outcome::Incomplete;
}

std::string what_is_missing(const std::vector<Missing>& missing) {
  std::string what;
  for (const Missing& one : missing) what += (what.empty() ? "" : "; ") + one.what;
  return what;
}

std::string how_to_complete(const std::vector<Missing>& missing, const std::vector<std::string>& command) {
  std::string how;
  const auto add = [&](const std::string& line) { how += (how.empty() ? "" : "\n") + line; };
  for (const Missing& one : missing)
    if (how.find(one.how) == std::string::npos) add(one.how);
  const auto any = [&](std::string Missing::*member) {
    return std::ranges::any_of(missing, [&](const Missing& one) { return !(one.*member).empty(); });
  };
  if (any(&Missing::option)) add("Run: " + command_with(missing, command, Waivers::Leave));
  if (any(&Missing::waiver))
    add("Or trust that the compiler called its kernel: " + command_with(missing, command, Waivers::Use));
  return how;
}

std::string more_axioms(const Certificate& certificate) {
  const auto& standard = lean::standard_axioms();
  std::set<std::string> more;
  for (const NameVerdict& name : certificate.names)
    for (const std::string& axiom : name.axioms.value_or(std::vector<std::string>()))
      if (std::ranges::find(standard, axiom) == standard.end()) more.insert(axiom);
  std::string text;
  for (const std::string& axiom : more) text += (text.empty() ? ", among them `" : ", `") + axiom + "`";
  return text;
}

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
    return std::ranges::find_if(kernels, [&](const KernelResult& kernel) { return kernel.answer == answer; });
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
  if (const auto program = program_in(request.solution.value())) return "the solution, " + *program;
  for (const std::string& option : request.options)
    if (const std::string name = option.substr(0, option.find('=')); program_in("set_option " + name))
      return "the option " + name;
  return project.program;
}

void accept_without_replay(const Job& job, const Inputs& inputs, const Compilation& compiled,
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

asio::awaitable<Result<void>> conclude(Job& job, const Inputs& inputs, const Compilation& compiled,
                                       SolutionFindings compared) {
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
