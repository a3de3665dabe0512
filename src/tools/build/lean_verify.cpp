// lean_verify: what a compiled theorem depends on, and what in its source deserves review.

#include "leanbridge/document/file.hpp"
#include "leanbridge/lean/axioms.hpp"
#include "leanbridge/text/lean_declarations.hpp"
#include "leanbridge/text/lean_quoting.hpp"
#include "leanbridge/text/trust_scan.hpp"

#include "tools/common/hidden_sorries.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

constexpr std::size_t kMaxNamesShown = 20;

struct VerifyParams {
  FileParams file;
  std::string theorem_name;
  bool scan_source = true;

  static wire::Fields fields() {
    return {wire::flatten<&VerifyParams::file>(),
            wire::field<&VerifyParams::theorem_name>("theorem_name", "With its namespaces"),
            wire::field<&VerifyParams::scan_source>("scan_source", "Default true").with_default()};
  }
};

/// A word in the source that deserves review.
struct TrustWarning {
  int line = 1;
  std::string pattern;

  static wire::Fields fields() {
    return {wire::field<&TrustWarning::line>("line"), wire::field<&TrustWarning::pattern>("pattern")};
  }
};

/// Null means not known, see `reason`; the members that depend on it are absent then.
struct VerifyResult {
  std::string theorem_name;
  std::optional<std::string> kind;
  std::optional<std::string> statement;
  wire::Nullable<std::vector<std::string>> axioms;
  std::optional<std::vector<std::string>> non_standard_axioms;
  wire::Nullable<bool> uses_sorry;
  wire::Nullable<std::string> trust;  ///< a word of lean::AxiomTrust
  bool trusted = false;
  bool kernel_replayed = false;
  std::optional<std::string> reason;
  std::optional<std::vector<std::string>> without_proof;
  std::vector<TrustWarning> warnings;
  std::optional<bool> partial;  ///< true or absent
  bool timed_out = false;
  std::string verdict_by = "lean_certify";  ///< the tool that compares statements and replays proofs

  static wire::Fields fields() {
    return {wire::field<&VerifyResult::theorem_name>("theorem_name").unlisted(),
            wire::field<&VerifyResult::kind>("kind"),
            wire::field<&VerifyResult::statement>("statement"),
            wire::field<&VerifyResult::axioms>("axioms"),
            wire::field<&VerifyResult::non_standard_axioms>("non_standard_axioms"),
            wire::field<&VerifyResult::uses_sorry>("uses_sorry").unlisted(),
            wire::field<&VerifyResult::trust>("trust").unlisted(),
            wire::field<&VerifyResult::trusted>("trusted"),
            wire::field<&VerifyResult::kernel_replayed>("kernel_replayed").unlisted(),
            wire::field<&VerifyResult::reason>("reason"),
            wire::field<&VerifyResult::without_proof>("without_proof"),
            wire::field<&VerifyResult::warnings>("warnings"),
            wire::field<&VerifyResult::partial>("partial"),
            wire::field<&VerifyResult::timed_out>("timed_out"),
            wire::field<&VerifyResult::verdict_by>("verdict_by").unlisted()};
  }
};

std::vector<std::string> non_standard(const std::vector<std::string>& axioms) {
  std::vector<std::string> names;
  for (const std::string& axiom : axioms)
    if (!lean::is_standard_axiom(axiom)) names.push_back(axiom);
  return names;
}

std::vector<TrustWarning> scan(const std::string& text) {
  std::vector<TrustWarning> warnings;
  for (const text::TrustFinding& finding : text::scan_for_trust(text)) {
    if (warnings.size() == kMaxItems) break;
    warnings.push_back({finding.line, finding.pattern});
  }
  return warnings;
}

// The file up to the end of the declaration, so that an error below does not matter; the whole file if the
// declaration is in an open `mutual` block.
std::string beginning_with(const std::string& source, const text::NamedDeclaration& declaration) {
  const std::string cut = source.substr(0, declaration.site.end);
  const auto mutual = cut.rfind("mutual");
  return mutual != std::string::npos && cut.find("\nend", mutual) == std::string::npos ? source : cut;
}

// Why a constant is not trusted even with standard axioms; empty: it is a theorem or another safe constant.
std::string objection(const index::Foundation& foundation) {
  if (foundation.is_unsafe) return foundation.name + " is unsafe: the kernel did not check it.";
  if (foundation.is_partial) return foundation.name + " is partial: it may not terminate.";
  if (!foundation.without_proof.empty())
    return "What " + foundation.without_proof.front() +
           (foundation.without_proof.size() > 1
                ? " and " + std::to_string(foundation.without_proof.size() - 1) + " others depend"
                : " depends") +
           " on is unknown: this library was installed without proofs.";
  return {};
}

VerifyResult verified(const index::Foundation& foundation) {
  const lean::AxiomTrust trust = lean::trust_of(foundation.axioms);
  VerifyResult result;
  result.theorem_name = foundation.name;
  result.kind = foundation.kind;
  result.statement = foundation.statement;
  result.axioms = foundation.axioms;
  result.non_standard_axioms = non_standard(foundation.axioms);
  result.uses_sorry = trust == lean::AxiomTrust::Incomplete;
  result.trust = std::string(wire::name_of(trust));
  result.trusted = trust == lean::AxiomTrust::Standard && foundation.kind != "axiom";
  if (const std::string why = objection(foundation); !why.empty()) {
    result.trusted = false;
    result.reason = why;
    // The unknown proofs may use further axioms.
    if (!foundation.without_proof.empty()) {
      if (trust == lean::AxiomTrust::Standard) result.trust = std::nullopt;
      result.without_proof = foundation.without_proof;
      if (result.without_proof->size() > kMaxNamesShown) result.without_proof->resize(kMaxNamesShown);
    }
  }
  return result;
}

VerifyResult not_verified(const std::string& name, const CompiledModule& module, bool timed_out) {
  VerifyResult result;
  result.theorem_name = name;
  result.reason = module.why_not;
  if (timed_out) {
    result.partial = true;
    result.reason = "Compiling had not finished by the call's deadline; pass a longer timeout_s.";
  }
  return result;
}

asio::awaitable<Result<VerifyResult>> verify_theorem(Environment& environment,
                                                     std::shared_ptr<mcp::Call> call, VerifyParams params) {
  std::string name = std::move(params.theorem_name);
  if (name.starts_with("_root_.")) name.erase(0, std::string_view("_root_.").size());
  if (!text::is_lean_name(name))
    co_return fail(ErrorKind::InvalidArgument, "theorem_name is not a valid name.",
                   "Pass the full name with its namespaces, like Nat.add_comm.");
  CO_TRY(const auto location, environment.workspace.locate(params.file.file_path));
  const std::string file_name = location.path.lexically_relative(location.project->root()).string();
  const auto load = [path = location.path, file_name] { return document::load_file(path, file_name, {}); };
  CO_TRY(const auto file, co_await environment.pool.run(load, call->scope));
  const std::string source = file.text->str();
  // Refuse an ambiguous name. Accept one that is not in the text: it may come from a macro or an import.
  auto written = text::find_declarations(source, name);
  if (written.size() > 1 && written.front().full_name != name) {
    CO_CHECK(declaration_named(*file.text, name, file_name));
  }
  if (written.size() == 1) name = written.front().full_name;

  call->progress = [file_name]() -> std::optional<mcp::Progress> {
    return mcp::Progress{0, 0, "compiling " + file_name};
  };
  const std::string beginning = written.size() == 1 ? beginning_with(source, written.front()) : source;
  auto module =
      co_await compile_module(environment, location.project, location.path, beginning, name, call->scope);
  if (module && !module->foundation && beginning != source)
    module = co_await compile_module(environment, location.project, location.path, source, name, call->scope);
  call->progress = {};
  if (!module) co_return tl::unexpected(module.error());
  if (module->why_not.empty() && !module->foundation)
    co_return fail(ErrorKind::InvalidArgument, file_name + " does not define or import " + name + ".",
                   "Pass the full name with its namespaces; one that fails to elaborate does not exist.");
  std::optional<std::string> unchecked;
  if (module->foundation) {
    const auto found =
        co_await find_unchecked(environment, {location.project, location.path, source}, call->scope);
    if (!found && found.error().kind != ErrorKind::Timeout) co_return tl::unexpected(found.error());
    if (!found) module->foundation.reset();
    if (found) unchecked = *found;
  }
  const bool timed_out = !module->foundation && io::Clock::now() >= call->scope.deadline;
  VerifyResult result =
      module->foundation ? verified(*module->foundation) : not_verified(name, *module, timed_out);
  if (unchecked) {
    result.trusted = false;
    if (result.trust && *result.trust == "standard") result.trust = std::nullopt;
    result.reason = unchecked_reason(*unchecked);
  }
  if (params.scan_source) result.warnings = scan(source);
  result.timed_out = timed_out;
  co_return result;
}

}  // namespace

mcp::Tool lean_verify(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_verify",
       .title = "Axioms of a theorem",
       .group = "build",
       .description = "Compiles a theorem and lists the axioms of its kernel term. trusted: "
                      "safe and only the three standard axioms; null (see reason) proves "
                      "nothing. For a verdict that no program of the file can fake, use lean_certify."},
      verify_theorem);
}

}  // namespace leanbridge::tools
