#include "completion.hpp"

#include "leanbridge/certify/judge.hpp"
#include "leanbridge/text/untrusted.hpp"

#include <algorithm>
#include <set>

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

/// A clause: who has accepted, and who could not check.
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

std::string reason_of_certified(const Certificate& certificate) {
  const std::size_t count = certificate.names.size();
  return (count == 1 ? "The theorem is" : "All " + std::to_string(count) + " theorems are") +
         std::string(" proved as stated, from allowed axioms only") + more_axioms(certificate) +
         words_about_kernels(certificate.kernels) + ".";
}

}  // namespace

void refuse_all(Certificate& certificate, Objections& objections, const std::string& why) {
  objections.refused = why;
  for (NameVerdict& name : certificate.names) {
    name.verdict = Outcome::Refused;
    name.reason = why;
  }
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
    if (name.verdict == Outcome::Certified) continue;
    missing.push_back(
        {name.name + ": " + name.reason, "Use a toolchain whose library has its proofs.", {}, {}});
    break;  // the others have their own reasons
  }
  if (missing.empty()) {
    certificate.verdict = Outcome::Certified;
    certificate.reason = reason_of_certified(certificate);
    return;
  }
  certificate.verdict = Outcome::Incomplete;
  const std::string what = what_is_missing(missing);
  certificate.reason = "Nothing speaks against it, but " + what + (what.ends_with('.') ? "" : ".");
  certificate.complete_with = how_to_complete(missing, command);
  for (NameVerdict& name : certificate.names) {
    if (name.verdict != Outcome::Certified) continue;
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
    if (name.verdict == Outcome::Certified) name.verdict = Outcome::Incomplete;
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
    return std::any_of(missing.begin(), missing.end(),
                       [&](const Missing& one) { return !(one.*member).empty(); });
  };
  if (any(&Missing::option)) add("Run: " + command_with(missing, command, Waivers::Leave));
  if (any(&Missing::waiver))
    add("Or trust that the compiler called its kernel: " + command_with(missing, command, Waivers::Use));
  return how;
}

std::string more_axioms(const Certificate& certificate) {
  const auto& standard = standard_axioms();
  std::set<std::string> more;
  for (const NameVerdict& name : certificate.names)
    for (const std::string& axiom : name.axioms.value_or(std::vector<std::string>()))
      if (std::find(standard.begin(), standard.end(), axiom) == standard.end()) more.insert(axiom);
  std::string text;
  for (const std::string& axiom : more) text += (text.empty() ? ", among them `" : ", `") + axiom + "`";
  return text;
}

}  // namespace leanbridge::certify
