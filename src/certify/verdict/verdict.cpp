#include "verdict.hpp"

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
  return {wire::field<&NameVerdict::name>("name"),
          wire::field<&NameVerdict::verdict>("verdict"),
          wire::field<&NameVerdict::reason>("reason"),
          wire::field<&NameVerdict::statement>("statement"),
          wire::field<&NameVerdict::axioms>("axioms"),
          wire::field<&NameVerdict::without_proof>("without_proof"),
          wire::field<&NameVerdict::disproof>("disproof")};
}

wire::Fields ModuleHash::fields() {
  return {wire::field<&ModuleHash::module>("module"), wire::field<&ModuleHash::sha256>("sha256"),
          wire::field<&ModuleHash::from>("from")};
}

wire::Fields PackageHash::fields() {
  return {wire::field<&PackageHash::package>("package"), wire::field<&PackageHash::modules>("modules"),
          wire::field<&PackageHash::sha256>("sha256"), wire::field<&PackageHash::in_baseline>("in_baseline")};
}

wire::Fields ToolchainFacts::fields() {
  return {wire::field<&ToolchainFacts::version>("version"), wire::field<&ToolchainFacts::lean>("lean"),
          wire::field<&ToolchainFacts::sha256>("sha256"), wire::field<&ToolchainFacts::modules>("modules"),
          wire::field<&ToolchainFacts::warnings>("warnings")};
}

wire::Fields KernelResult::fields() {
  return {wire::field<&KernelResult::name>("name"),
          wire::field<&KernelResult::program>("program"),
          wire::field<&KernelResult::sha256>("sha256"),
          wire::field<&KernelResult::version>("version"),
          wire::field<&KernelResult::answer>("answer"),
          wire::field<&KernelResult::why>("why"),
          wire::field<&KernelResult::says>("says"),
          wire::field<&KernelResult::defects>("defects").omit_empty()};
}

wire::Fields ExportFacts::fields() {
  return {wire::field<&ExportFacts::format>("format"), wire::field<&ExportFacts::sha256>("sha256"),
          wire::field<&ExportFacts::bytes>("bytes"), wire::field<&ExportFacts::declarations>("declarations")};
}

wire::Fields KernelFacts::fields() {
  return {wire::field<&KernelFacts::program>("program"), wire::field<&KernelFacts::sha256>("sha256")};
}

wire::Fields ComparatorFacts::fields() {
  return {wire::field<&ComparatorFacts::answer>("answer"), wire::field<&ComparatorFacts::why>("why"),
          wire::field<&ComparatorFacts::says>("says")};
}

wire::Fields DeclarationHeartbeats::fields() {
  return {wire::field<&DeclarationHeartbeats::name>("name"),
          wire::field<&DeclarationHeartbeats::line>("line"),
          wire::field<&DeclarationHeartbeats::heartbeats>("heartbeats"),
          wire::field<&DeclarationHeartbeats::before>("before")};
}

wire::Fields CostFacts::fields() {
  return {wire::field<&CostFacts::seconds>("seconds"),
          wire::field<&CostFacts::declarations>("declarations").omit_empty(),
          wire::field<&CostFacts::why_not>("why_not")};
}

wire::Fields ApprovalFacts::fields() {
  return {wire::field<&ApprovalFacts::approved_by>("approved_by"),
          wire::field<&ApprovalFacts::approved_at>("approved_at"),
          wire::field<&ApprovalFacts::holds>("holds"), wire::field<&ApprovalFacts::changes>("changes"),
          wire::field<&ApprovalFacts::note>("note")};
}

wire::Fields Certificate::fields() {
  return {wire::field<&Certificate::verdict>("verdict"),
          wire::field<&Certificate::reason>("reason"),
          wire::field<&Certificate::names>("names"),
          wire::field<&Certificate::holes>("holes").unlisted().omit_empty(),
          wire::field<&Certificate::allowed_axioms>("allowed_axioms").unlisted(),
          wire::field<&Certificate::challenge_sha256>("challenge_sha256").unlisted(),
          wire::field<&Certificate::solution_sha256>("solution_sha256").unlisted(),
          wire::field<&Certificate::revision>("revision"),
          wire::field<&Certificate::revision_path>("revision_path"),
          wire::field<&Certificate::toolchain>("toolchain").unlisted(),
          wire::field<&Certificate::modules>("modules").unlisted(),
          wire::field<&Certificate::packages>("packages").unlisted(),
          wire::field<&Certificate::sandbox>("sandbox"),
          wire::field<&Certificate::sandbox_note>("sandbox_note"),
          wire::field<&Certificate::kernel_replayed>("kernel_replayed"),
          wire::field<&Certificate::kernel>("kernel").unlisted(),
          wire::field<&Certificate::kernels>("kernels").unlisted().omit_empty(),
          wire::field<&Certificate::exported>("export").unlisted(),
          wire::field<&Certificate::comparator>("comparator").unlisted(),
          wire::field<&Certificate::cost>("cost").unlisted(),
          wire::field<&Certificate::checked_by>("checked_by").unlisted(),
          wire::field<&Certificate::complete_with>("complete_with"),
          wire::field<&Certificate::timed_out>("timed_out").unlisted(),
          wire::field<&Certificate::page>("page").unlisted(),
          wire::field<&Certificate::page_text>("page_text").unlisted(),
          wire::field<&Certificate::approval>("approval").unlisted()};
}

}  // namespace leanbridge::certify
