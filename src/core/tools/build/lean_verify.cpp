// lean_verify: the axioms of a theorem, and the words in its source that deserve review.

#include "core/base/similar.hpp"
#include "core/document/file.hpp"
#include "core/ide/hidden_sorries.hpp"
#include "core/ide/scratch_query.hpp"
#include "core/lean/axioms.hpp"
#include "core/lean/printed.hpp"
#include "core/lean/sorries.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lean_quoting.hpp"
#include "core/text/missing_proofs.hpp"
#include "core/text/trust_scan.hpp"
#include "core/text/utf8.hpp"
#include "core/tools/common/typed_tool.hpp"
#include "verify_files.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

constexpr std::size_t kMaxNamesShown = 20;
constexpr std::size_t kMaxWithoutProofShown = 3;

struct VerifyParams {
  FilesParams files;
  std::optional<std::string> theorem_name;
  std::optional<std::string> baseline;
  bool scan_source = true;
  bool compile = false;

  static wire::Fields fields() {
    return {wire::flatten<&VerifyParams::files>(),
            wire::field<&VerifyParams::theorem_name>("With its namespaces; none: all of them"),
            wire::field<&VerifyParams::baseline>("File with an earlier answer"),
            wire::field<&VerifyParams::scan_source>().with_default(),
            wire::field<&VerifyParams::compile>().with_default()};
  }
};

/// A word in the source that deserves review.
struct TrustWarning {
  int line = 1;
  std::string pattern;

  static wire::Fields fields() { return wire::fields<&TrustWarning::line, &TrustWarning::pattern>(); }
};

/// The verdict on one theorem, or on all declarations in files. Null means not known, see `reason`; members
/// that depend on it are absent then.
struct VerifyResult {
  std::optional<std::string> theorem_name;
  bool of_theorem = true;
  std::optional<std::string> kind;
  std::optional<std::string> statement;
  wire::Nullable<std::vector<std::string>> axioms;
  std::optional<std::vector<std::string>> non_standard_axioms;
  std::optional<std::size_t> total;  ///< how many axioms there are, if not all are shown
  std::optional<bool> truncated;
  bool some_standard = false;  ///< if so, non_standard_axioms lacks some
  wire::Nullable<bool> uses_sorry;
  wire::Nullable<std::string> trust;  ///< a word of lean::AxiomTrust
  bool trusted = false;
  bool completed_name = false;  ///< theorem_name differs from the caller's
  bool compiled = false;        ///< read from the compiled term; false: Lean was asked
  bool kernel_replayed = false;
  std::optional<std::string> reason;
  std::optional<std::vector<std::string>> without_proof;
  std::vector<TrustWarning> warnings;
  std::optional<bool> partial;  ///< true or absent
  bool timed_out = false;
  std::string verdict_by = "lean_certify";  ///< the tool that compares statements and replays proofs
  std::optional<std::size_t> files, declarations;
  std::optional<std::vector<VerifyException>> exceptions;
  std::optional<bool> as_baseline;
  std::size_t in_baseline = 0;

  static wire::Fields fields() {
    return {wire::field<&VerifyResult::theorem_name>().unlisted().only_if<&VerifyResult::completed_name>(),
            wire::field<&VerifyResult::trusted>(),
            wire::field<&VerifyResult::reason>(),
            wire::field<&VerifyResult::axioms>(),
            wire::field<&VerifyResult::non_standard_axioms>().only_if<&VerifyResult::some_standard>(),
            wire::field<&VerifyResult::total>().unlisted(),
            wire::field<&VerifyResult::truncated>().unlisted(),
            wire::field<&VerifyResult::uses_sorry>().unlisted().only_if<&VerifyResult::of_theorem>(),
            wire::field<&VerifyResult::trust>().unlisted().only_if<&VerifyResult::of_theorem>(),
            wire::field<&VerifyResult::compiled>().unlisted().omit_empty(),
            wire::field<&VerifyResult::kernel_replayed>().unlisted().omit_empty(),
            wire::field<&VerifyResult::kind>(),
            wire::field<&VerifyResult::statement>(),
            wire::field<&VerifyResult::without_proof>(),
            wire::field<&VerifyResult::warnings>(),
            wire::field<&VerifyResult::partial>(),
            wire::field<&VerifyResult::timed_out>().omit_empty(),
            wire::field<&VerifyResult::files>(),
            wire::field<&VerifyResult::declarations>(),
            wire::field<&VerifyResult::as_baseline>(),
            wire::field<&VerifyResult::in_baseline>().unlisted().omit_empty(),
            wire::field<&VerifyResult::exceptions>(),
            wire::field<&VerifyResult::verdict_by>().unlisted().only_if<&VerifyResult::of_theorem>()};
  }
};

std::vector<std::string> non_standard(const std::vector<std::string>& axioms) {
  std::vector<std::string> names;
  for (const std::string& axiom : axioms)
    if (!lean::is_standard_axiom(axiom)) names.push_back(axiom);
  return names;
}

// Ignores a sorry of another declaration: if the theorem depends on that one, its axioms show it.
std::vector<TrustWarning> scan(const std::string& text,
                               const std::optional<text::NamedDeclaration>& declared) {
  const auto line_of = [&](std::size_t at) {
    return 1 +
           static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  };
  const int first = declared ? line_of(declared->site.start) : 0,
            end = declared ? line_of(declared->site.end) : 0;
  std::vector<TrustWarning> warnings;
  for (const text::TrustFinding& finding : text::scan_for_trust(text)) {
    if (warnings.size() == kMaxItems) break;
    const bool elsewhere = finding.line < first || finding.line >= end;
    if (!text::is_missing_proof(finding.pattern) || !elsewhere)
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

std::string what_is_known(const olean::Foundation& foundation) {
  switch (lean::trust_of(foundation.axioms)) {
    case lean::AxiomTrust::Standard:
      return "No sorry, and no axiom beyond the standard ones; but ";
    case lean::AxiomTrust::Incomplete:
      return "It rests on a sorry; and ";
    default:
      return "It rests on further axioms; and ";
  }
}

// Why a constant is not trusted even with standard axioms; empty: it is a theorem or another safe constant.
std::string objection(const olean::Foundation& foundation) {
  if (foundation.is_unsafe) return foundation.name + " is unsafe: the kernel did not check it.";
  if (foundation.is_partial) return foundation.name + " is partial: it may not terminate.";
  if (!foundation.without_proof.empty())
    return what_is_known(foundation) + "what " + foundation.without_proof.front() +
           (foundation.without_proof.size() > 1
                ? " and " + std::to_string(foundation.without_proof.size() - 1) + " others depend"
                : " depends") +
           " on is unknown: this library was installed without proofs.";
  return {};
}

// The verdict that follows from the axioms alone.
void judge(VerifyResult& result, std::vector<std::string> axioms) {
  const lean::AxiomTrust trust = lean::trust_of(axioms);
  result.non_standard_axioms = non_standard(axioms);
  result.some_standard =
      !result.non_standard_axioms->empty() && result.non_standard_axioms->size() < axioms.size();
  result.uses_sorry = trust == lean::AxiomTrust::Incomplete;
  result.trust = std::string(wire::name_of(trust));
  result.trusted = trust == lean::AxiomTrust::Standard && result.kind && *result.kind != "axiom";
  result.axioms = std::move(axioms);
}

// A library without proofs makes dozens of axioms, of which a few suffice for the answer. Lean's own come
// first.
void shorten(VerifyResult& result) {
  if (result.without_proof && result.without_proof->size() > kMaxWithoutProofShown)
    result.without_proof->resize(kMaxWithoutProofShown);
  if (!result.axioms || result.axioms->size() <= kMaxNamesShown) return;
  result.total = result.axioms->size();
  result.truncated = true;
  std::stable_partition(result.axioms->begin(), result.axioms->end(), lean::is_standard_axiom);
  result.axioms->resize(kMaxNamesShown);
  result.some_standard = false;
}

void distrust(VerifyResult& result, std::string reason) {
  result.trusted = false;
  result.reason = std::move(reason);
}

VerifyResult verified(const olean::Foundation& foundation) {
  VerifyResult result;
  result.compiled = true;
  result.theorem_name = foundation.name;
  result.kind = foundation.kind;
  // The type alone, as Lean's `#check` prints a constant without parameters.
  result.statement =
      foundation.statement.starts_with(": ") ? foundation.statement.substr(2) : foundation.statement;
  judge(result, foundation.axioms);
  if (std::string why = objection(foundation); !why.empty()) {
    distrust(result, std::move(why));
    // The unknown proofs may use further axioms.
    if (!foundation.without_proof.empty()) {
      if (*result.trust == wire::name_of(lean::AxiomTrust::Standard)) result.trust = std::nullopt;
      result.without_proof = foundation.without_proof;
      if (result.without_proof->size() > kMaxNamesShown) result.without_proof->resize(kMaxNamesShown);
    }
  }
  return result;
}

/// The theorem of a call, and the text that should have it.
struct Wanted {
  TextOfFile whole;
  std::string file_name;
  std::string name;                                ///< in full
  std::optional<text::NamedDeclaration> declared;  ///< nullopt: the text does not show it

  TextOfFile beginning() const {
    TextOfFile of = whole;
    if (declared) of.text = beginning_with(whole.text, *declared);
    return of;
  }
};

VerifyResult out_of_time(const Wanted& wanted, const std::string& what) {
  VerifyResult result;
  result.theorem_name = wanted.name;
  result.partial = result.timed_out = true;
  result.reason = what + " by the call's deadline; pass a longer timeout_s.";
  return result;
}

asio::awaitable<Error> no_such_name(Environment& environment, const Wanted& wanted, io::CancelScope scope) {
  auto like = co_await names_like(environment, wanted.whole.project->root(), wanted.name,
                                  text::names_declared_in(wanted.whole.text), scope);
  const std::string meant = did_you_mean(like);
  co_return Error(ErrorKind::InvalidArgument,
                  wanted.file_name + " does not define or import " + wanted.name + ".",
                  meant + (meant.empty() ? "" : " ") +
                      "Pass the full name with its namespaces; one that fails to elaborate does not exist.");
}

// --- from the compiled file

// Compiles the whole text first, which answers for every theorem in it; then the text without the part below
// the theorem, where an error may be.
asio::awaitable<Result<VerifyResult>> verify_compiled(Environment& environment, const Wanted& wanted,
                                                      const SilencerWatch::Found& found,
                                                      io::CancelScope scope) {
  const auto compile = [&](TextOfFile of) {
    of.has_programs = found.program.has_value();
    return compile_module(environment, std::move(of), found.read, {{wanted.name}}, scope);
  };
  CO_TRY(auto module, co_await compile(wanted.whole));
  if (!module.why_not.empty() && wanted.declared && io::Clock::now() < scope.deadline) {
    CO_TRY(module, co_await compile(wanted.beginning()));
  }
  if (!module.foundations.empty()) {
    VerifyResult result = verified(module.foundations.front());
    result.kernel_replayed = module.accepted;
    if (!module.not_accepted.empty()) {
      if (result.trust && *result.trust == wire::name_of(lean::AxiomTrust::Standard))
        result.trust = std::nullopt;
      distrust(result, unchecked_reason(*found.program) + " " + module.not_accepted);
    }
    co_return result;
  }
  if (module.why_not.empty()) co_return tl::unexpected(co_await no_such_name(environment, wanted, scope));
  if (io::Clock::now() >= scope.deadline) co_return out_of_time(wanted, "Compiling had not finished");
  VerifyResult result;
  result.theorem_name = wanted.name;
  result.reason = module.why_not;
  co_return result;
}

// --- from Lean's answers

constexpr const char* kNotElaborated = "Lean had not elaborated the theorem";

enum VerifyCommand : std::size_t { kCheckType, kPrintKind, kPrintAxioms };

// Why Lean's answer about the axioms is unavailable or unreliable; empty: it is neither.
std::string why_not_asked(const SilencerWatch::Found& found) {
  if (found.answers) return *found.answers + ", which can change what Lean answers";
  return {};
}

// Lean's report about the theorem itself. Empty for a theorem that the text does not show.
struct OwnProof {
  std::string error;              ///< "line 7: ..."
  std::optional<int> sorry_line;  ///< of a sorry that Lean warns of
};

OwnProof own_proof(const Wanted& wanted, const document::DocumentState& state) {
  OwnProof proof;
  if (!wanted.declared) return proof;
  const text::DeclarationSite& site = wanted.declared->site;
  if (const auto* error = Messages(state).within(site.start, site.end).errors().first())
    proof.error = "line " + std::to_string(state.text().position_at(error->range.start).line) + ": " +
                  std::string(text::beginning_of(error->message, kMaxReasonBytes));
  for (const lean::SorryPlace& place : lean::find_sorries(state.text(), state.diagnostics()))
    if (site.start <= place.offset && place.offset < site.end && !proof.sorry_line)
      proof.sorry_line = state.text().position_at(place.offset).line;
  return proof;
}

// Why the theorem is not proved although it elaborates; empty: no objection.
std::string sorry_objection(const Wanted& wanted, const OwnProof& proof, bool rests_on_sorry, bool silenced) {
  if (proof.sorry_line) return "Its own proof uses sorry, in line " + std::to_string(*proof.sorry_line) + ".";
  if (!rests_on_sorry) return {};
  return wanted.declared && !silenced ? "Its own proof has no sorry, but something that it uses does."
                                      : "It or something that it uses contains a sorry.";
}

// To proofs, a partial function is an opaque constant, like one declared `opaque`.
bool may_be_partial(const Wanted& wanted, const lean::PrintedKind& kind) {
  return kind.is_partial ||
         (kind.kind == "opaque" && (!wanted.declared || wanted.declared->site.keyword != "opaque"));
}

// Why Lean, which was asked, did not list the axioms.
std::string not_listed(const CommandAnswers& asked) {
  const auto said = asked.message(kPrintAxioms, lean::Severity::Error);
  if (!said) return "Lean did not list the axioms";
  // Lean's message blames a header that the file may not have.
  if (said->find("in a `module`") != said->npos) return "This Lean does not list axioms in a `module`";
  std::string why(text::beginning_of(*said, kMaxReasonBytes));
  while (why.ends_with('.')) why.pop_back();
  return "Lean did not list the axioms: " + why;
}

VerifyResult verdict_of(const Wanted& wanted, const SilencerWatch::Found& found, const OwnProof& proof,
                        const CommandAnswers& asked) {
  VerifyResult result;
  result.theorem_name = wanted.name;
  const auto printed = asked.message(kPrintKind, lean::Severity::Information);
  const auto kind = printed ? lean::read_printed_kind(*printed) : std::nullopt;
  if (kind) result.kind = kind->kind;
  std::string why_not = why_not_asked(found);
  const auto listed =
      why_not.empty() ? asked.message(kPrintAxioms, lean::Severity::Information) : std::nullopt;
  auto axioms = listed ? lean::read_printed_axioms(*listed) : std::nullopt;
  if (axioms && kind) {
    judge(result, std::move(axioms->axioms));
    if (kind->is_unsafe) distrust(result, wanted.name + " is unsafe: the kernel did not check it.");
    if (may_be_partial(wanted, *kind))
      distrust(result, wanted.name + " is partial or opaque: it may not terminate.");
    if (*result.trust == wire::name_of(lean::AxiomTrust::Custom) && !result.reason)
      distrust(result,
               "It rests on no sorry, but on " + std::to_string(result.non_standard_axioms->size()) +
                   " names that are not Lean's own axioms. If they are theorems of a library that was "
                   "installed without proofs, compile: true says so.");
  } else {
    if (why_not.empty()) why_not = not_listed(asked);
    distrust(result, why_not + ". Pass compile: true to read the axioms from the compiled theorem.");
  }
  if (!proof.error.empty()) {
    distrust(result, "The theorem is not proved: " + proof.error);
    return result;
  }
  const bool rests_on_sorry = result.uses_sorry && *result.uses_sorry;
  std::string why = sorry_objection(wanted, proof, rests_on_sorry, found.silencer.has_value());
  if (why.empty()) return result;
  // Lean's warning is trusted even where its silence is not.
  result.uses_sorry = true;
  result.trust = std::string(wire::name_of(lean::AxiomTrust::Incomplete));
  distrust(result, std::move(why));
  return result;
}

// Lean's answer is favourable, but it may have left out axioms of imports: the compiled terms decide.
asio::awaitable<Result<VerifyResult>> confirmed(Environment& environment, const Wanted& wanted,
                                                const SilencerWatch::Found& found, VerifyResult asked,
                                                io::CancelScope scope) {
  if (!asked.trust || *asked.trust != wire::name_of(lean::AxiomTrust::Standard)) co_return asked;
  if (co_await lists_all_axioms(environment, *wanted.whole.project,
                                text::parse_lean_header(wanted.whole.text), scope))
    co_return asked;
  CO_TRY(VerifyResult read, co_await verify_compiled(environment, wanted, found, scope));
  if (read.compiled) co_return read;
  // Without the compiled terms the axioms are unknown: do not show Lean's list as if it were complete.
  asked.axioms = std::nullopt;
  asked.trust = std::nullopt;
  asked.uses_sorry = std::nullopt;
  asked.non_standard_axioms.reset();
  distrust(asked,
           "This version of Lean may leave out axioms of imports (lean4#15226), and the file could not "
           "be compiled to read them. " +
               read.reason.value_or(""));
  asked.partial = read.partial;
  asked.timed_out = read.timed_out;
  co_return asked;
}

// Asks Lean in a scratch document that ends with the theorem. Compiles nothing.
asio::awaitable<Result<VerifyResult>> verify_asked(Environment& environment, const Wanted& wanted,
                                                   const SilencerWatch::Found& found, io::CancelScope scope) {
  Context context;
  context.text = wanted.beginning().text;
  if (!context.text.ends_with('\n')) context.text += '\n';
  context.file = wanted.whole.path;
  const std::string name = "_root_." + wanted.name;
  std::vector<std::string> commands{"#check @" + name, "#print " + name};
  if (why_not_asked(found).empty()) commands.push_back("#print axioms " + name);
  CO_TRY(const auto asked, in_time(co_await ask_in_scratch(wanted.whole.project, std::move(context),
                                                           std::move(commands), scope)));
  if (!asked) co_return out_of_time(wanted, kNotElaborated);
  const OpenFile& scratch = (*asked)->file();
  if (wanted.declared) {
    const text::DeclarationSite& site = wanted.declared->site;
    CO_TRY(const auto outcome, co_await scratch.wait_until_reported_between(site.start, site.end, scope));
    if (outcome == document::WaitOutcome::Partial) co_return out_of_time(wanted, kNotElaborated);
  }
  const OwnProof proof = own_proof(wanted, scratch.document().state);
  if ((*asked)->failed(kCheckType) && proof.error.empty())
    co_return tl::unexpected(co_await no_such_name(environment, wanted, scope));
  VerifyResult result = verdict_of(wanted, found, proof, **asked);
  const auto types = co_await checked_types(*asked, scope);
  if (types[kCheckType]) result.statement = *types[kCheckType];
  co_return result;
}

asio::awaitable<Result<VerifyResult>> verify_theorem(Environment& environment,
                                                     std::shared_ptr<mcp::Call> call, VerifyParams params) {
  Wanted wanted;
  if (!params.files.file_path || params.files.files)
    co_return fail(ErrorKind::InvalidArgument, "A theorem is in one file.",
                   "Pass file_path with theorem_name, or files without it.");
  const std::string file_path = *params.files.file_path;
  wanted.name = *params.theorem_name;
  if (wanted.name.starts_with("_root_.")) wanted.name.erase(0, std::string_view("_root_.").size());
  if (!text::is_lean_name(wanted.name))
    co_return fail(ErrorKind::InvalidArgument, "theorem_name is not a valid name.",
                   "Pass the full name with its namespaces, like Nat.add_comm.");
  CO_TRY(const auto location, environment.workspace.locate(file_path));
  wanted.file_name = location.path.lexically_relative(location.project->root()).string();
  const auto load = [path = location.path, name = wanted.file_name] {
    return document::load_file(path, name, {});
  };
  CO_TRY(const auto file, co_await environment.pool.run(load, call->scope));
  wanted.whole = {location.project, location.path, file.text->str()};
  // Refuse an ambiguous name. Accept one that is not in the text: it may come from a macro or an import.
  auto written = text::find_declarations(wanted.whole.text, wanted.name);
  if (written.size() > 1 && written.front().full_name != wanted.name) {
    CO_CHECK(declaration_named(*file.text, wanted.name, wanted.file_name));
  }
  if (written.size() == 1) {
    wanted.name = written.front().full_name;
    wanted.declared = std::move(written.front());
  }

  CO_TRY(const auto found, in_time(co_await scan_sources(environment, wanted.whole, call->scope)));
  if (!found) co_return out_of_time(wanted, "The file's imports had not been read");
  const bool compile = params.compile || is_compiled(environment, wanted.whole, found->read);
  call->progress = [name = wanted.file_name, compile]() -> std::optional<mcp::Progress> {
    return mcp::Progress{0, 0, (compile ? "compiling " : "asking Lean about ") + name};
  };
  Result<VerifyResult> result = fail(ErrorKind::Internal, "not asked");
  if (compile)
    result = co_await verify_compiled(environment, wanted, *found, call->scope);
  else
    result = co_await verify_asked(environment, wanted, *found, call->scope);
  if (!compile && result)
    result = co_await confirmed(environment, wanted, *found, std::move(*result), call->scope);
  call->progress = {};
  if (!result) co_return tl::unexpected(result.error());
  if (wanted.declared && result->kind)
    if (std::string why = replaced_objection(wanted.declared->site.keyword, *result->kind); !why.empty())
      distrust(*result, std::move(why));
  if (found->unchecked) {
    if (result->trust && *result->trust == wire::name_of(lean::AxiomTrust::Standard))
      result->trust = std::nullopt;
    distrust(*result, unchecked_reason(*found->unchecked));
  }
  if (call->detail == wire::Detail::Brief) shorten(*result);
  result->completed_name = result->theorem_name != params.theorem_name;
  if (params.scan_source) result->warnings = scan(wanted.whole.text, wanted.declared);
  co_return result;
}

asio::awaitable<Result<VerifyResult>> verify(Environment& environment, std::shared_ptr<mcp::Call> call,
                                             VerifyParams params) {
  if (params.theorem_name) co_return co_await verify_theorem(environment, call, std::move(params));
  CO_TRY(FilesVerdict all, co_await verify_files(environment, call, params.files, params.baseline));
  VerifyResult result;
  result.of_theorem = false;
  result.compiled = true;
  result.trusted = all.trusted;
  result.reason = std::move(all.reason);
  result.axioms = std::move(all.axioms);
  result.files = all.files;
  result.declarations = all.declarations;
  result.exceptions = std::move(all.exceptions);
  result.as_baseline = all.as_baseline;
  result.in_baseline = all.in_baseline;
  result.timed_out = all.timed_out;
  if (all.timed_out) result.partial = true;
  if (all.truncated) result.truncated = true;
  co_return result;
}

}  // namespace

mcp::Tool lean_verify(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_verify",
       .title = "Axioms of theorems",
       .group = "build",
       .description = "The axioms that a theorem rests on; of files, which declarations rest on sorry or "
                      "more than the three standard axioms. trusted: none; null: reason says whether "
                      "compile: true (slow) would help. A verdict that no program can fake: lean_certify.",
       .shows_timeout = true},
      verify);
}

}  // namespace leanbridge::tools
