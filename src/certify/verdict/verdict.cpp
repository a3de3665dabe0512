#include "verdict.hpp"

#include "core/lean/toolchain.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::certify {

wire::Names<Outcome> names_of(Outcome) {
  return {{Outcome::Certified, "certified"},
          {Outcome::Refused, "refused"},
          {Outcome::Incomplete, "incomplete"},
          {Outcome::Refuted, "refuted"},
          {Outcome::Filled, "filled"}};
}

wire::Names<Sandbox> names_of(Sandbox) {
  return {{Sandbox::None, "none"}, {Sandbox::Bubblewrap, "bubblewrap"}};
}

wire::Names<ModuleOrigin> names_of(ModuleOrigin) {
  return {{ModuleOrigin::Rebuilt, "rebuilt"}, {ModuleOrigin::Baseline, "baseline"}};
}

wire::Names<KernelAnswer> names_of(KernelAnswer) {
  return {{KernelAnswer::NotAsked, "not_asked"},
          {KernelAnswer::Accepted, "accepted"},
          {KernelAnswer::Rejected, "rejected"},
          {KernelAnswer::Failed, "failed"}};
}

wire::Fields NameVerdict::fields() {
  return {wire::field<&NameVerdict::name>(),     wire::field<&NameVerdict::verdict>(),
          wire::field<&NameVerdict::reason>(),   wire::field<&NameVerdict::statement>(),
          wire::field<&NameVerdict::axioms>(),   wire::field<&NameVerdict::without_proof>(),
          wire::field<&NameVerdict::disproof>(), wire::field<&NameVerdict::also>().unlisted()};
}

wire::Fields ModuleHash::fields() {
  return wire::fields<&ModuleHash::module, &ModuleHash::sha256, &ModuleHash::from>();
}

wire::Fields PackageHash::fields() {
  return wire::fields<&PackageHash::package, &PackageHash::modules, &PackageHash::sha256,
                      &PackageHash::in_baseline>();
}

wire::Fields ToolchainFacts::fields() {
  return {wire::field<&ToolchainFacts::version>(), wire::field<&ToolchainFacts::lean>().only_full(),
          wire::field<&ToolchainFacts::sha256>().only_full(),
          wire::field<&ToolchainFacts::modules>().only_full(),
          wire::field<&ToolchainFacts::warnings>().omit_empty()};
}

wire::Fields KernelResult::fields() {
  return {wire::field<&KernelResult::name>(),
          wire::field<&KernelResult::program>().only_full(),
          wire::field<&KernelResult::sha256>().only_full(),
          wire::field<&KernelResult::version>(),
          wire::field<&KernelResult::answer>(),
          wire::field<&KernelResult::why>(),
          wire::field<&KernelResult::says>(),
          wire::field<&KernelResult::defects>().omit_empty()};
}

wire::Fields ExportFacts::fields() {
  return wire::fields<&ExportFacts::format, &ExportFacts::sha256, &ExportFacts::bytes,
                      &ExportFacts::declarations>();
}

wire::Fields KernelFacts::fields() {
  return wire::fields<&KernelFacts::program, &KernelFacts::sha256>();
}

wire::Fields ComparatorFacts::fields() {
  return wire::fields<&ComparatorFacts::answer, &ComparatorFacts::why, &ComparatorFacts::says>();
}

wire::Fields DeclarationHeartbeats::fields() {
  return wire::fields<&DeclarationHeartbeats::name, &DeclarationHeartbeats::line,
                      &DeclarationHeartbeats::heartbeats, &DeclarationHeartbeats::before>();
}

wire::Fields CostFacts::fields() {
  return {wire::field<&CostFacts::seconds>(), wire::field<&CostFacts::declarations>().omit_empty(),
          wire::field<&CostFacts::why_not>()};
}

wire::Fields ApprovalFacts::fields() {
  return wire::fields<&ApprovalFacts::approved_by, &ApprovalFacts::approved_at, &ApprovalFacts::holds,
                      &ApprovalFacts::changes, &ApprovalFacts::note>();
}

wire::Fields Certificate::fields() {
  return {wire::field<&Certificate::verdict>(),
          wire::field<&Certificate::reason>(),
          wire::field<&Certificate::names>(),
          wire::field<&Certificate::holes>().unlisted().omit_empty(),
          wire::field<&Certificate::axioms>().unlisted(),
          wire::field<&Certificate::allowed_axioms>().unlisted().only_full(),
          wire::field<&Certificate::challenge_sha256>().unlisted().only_full(),
          wire::field<&Certificate::solution_sha256>().unlisted().only_full(),
          wire::field<&Certificate::revision>(),
          wire::field<&Certificate::revision_path>(),
          wire::field<&Certificate::toolchain>().unlisted(),
          wire::field<&Certificate::modules>().unlisted().only_full(),
          wire::field<&Certificate::packages>().unlisted().only_full(),
          wire::field<&Certificate::sandbox>(),
          wire::field<&Certificate::sandbox_note>(),
          wire::field<&Certificate::kernel_replayed>(),
          wire::field<&Certificate::kernel>().unlisted().only_full(),
          wire::field<&Certificate::kernels>().unlisted().omit_empty(),
          wire::named_field<&Certificate::exported>("export").unlisted().only_full(),
          wire::field<&Certificate::comparator>().unlisted(),
          wire::field<&Certificate::cost>().unlisted(),
          wire::field<&Certificate::checked_by>().unlisted(),
          wire::field<&Certificate::complete_with>(),
          wire::field<&Certificate::timed_out>().unlisted().omit_empty(),
          wire::field<&Certificate::page>().unlisted(),
          wire::field<&Certificate::page_text>().unlisted(),
          wire::field<&Certificate::approval>().unlisted()};
}

void shorten(Certificate& certificate) {
  std::set<std::string> axioms;
  std::vector<NameVerdict> shown;
  const bool is_one = certificate.names.size() == 1;
  for (NameVerdict& name : certificate.names) {
    if (name.axioms) axioms.insert(name.axioms->begin(), name.axioms->end());
    if (name.verdict == Outcome::Certified) {
      name.axioms.reset();
      if (!is_one) name.statement.reset();
    }
    const auto same = std::ranges::find_if(shown, [&](const NameVerdict& each) {
      return each.verdict == name.verdict && each.reason == name.reason && each.axioms == name.axioms &&
             each.without_proof == name.without_proof && !each.disproof && !name.disproof;
    });
    if (same == shown.end()) {
      shown.push_back(std::move(name));
      continue;
    }
    if (!same->also) same->also.emplace();
    same->also->push_back(std::move(name.name));
  }
  certificate.names = std::move(shown);
  certificate.axioms.emplace(axioms.begin(), axioms.end());
  if (!certificate.toolchain.warnings.empty())
    certificate.toolchain.warnings = {lean::defects_in_brief(certificate.toolchain.version)};
}

}  // namespace leanbridge::certify
