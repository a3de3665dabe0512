#include "verification.hpp"

#include "core/document/file.hpp"
#include "core/lean/printed.hpp"
#include "core/lean/sorries.hpp"
#include "core/text/lean_quoting.hpp"
#include "core/text/missing_proofs.hpp"
#include "core/text/trust_scan.hpp"
#include "core/text/utf8.hpp"
#include "files_verification.hpp"
#include "scratch_query.hpp"

#include <algorithm>

namespace leanbridge::ide {

namespace {

constexpr std::size_t kMaxNamesShown = 20;
constexpr std::size_t kMaxWithoutProofShown = 3;

}  // namespace

// --- the verdict

wire::Fields VerifyException::fields() {
  return {wire::field<&VerifyException::file_path>(),
          wire::field<&VerifyException::line>(),
          wire::field<&VerifyException::declaration>(),
          wire::field<&VerifyException::axioms>().omit_empty(),
          wire::field<&VerifyException::own_sorry>().omit_empty(),
          wire::field<&VerifyException::reason>(),
          wire::field<&VerifyException::count>().unlisted(),
          wire::field<&VerifyException::also>().unlisted()};
}

wire::Fields Verdict::fields() {
  return {wire::field<&Verdict::theorem_name>().unlisted().only_if<&Verdict::completed_name>(),
          wire::field<&Verdict::trusted>(),
          wire::field<&Verdict::reason>(),
          wire::field<&Verdict::axioms>(),
          wire::field<&Verdict::non_standard_axioms>().only_if<&Verdict::some_standard>(),
          wire::field<&Verdict::total>().unlisted(),
          wire::field<&Verdict::truncated>().unlisted(),
          wire::field<&Verdict::uses_sorry>().unlisted().only_if<&Verdict::of_theorem>(),
          wire::field<&Verdict::trust>().unlisted().only_if<&Verdict::of_theorem>(),
          wire::field<&Verdict::compiled>().unlisted().omit_empty(),
          wire::field<&Verdict::kernel_replayed>().unlisted().omit_empty(),
          wire::field<&Verdict::kind>(),
          wire::field<&Verdict::statement>(),
          wire::field<&Verdict::without_proof>(),
          wire::field<&Verdict::warnings>(),
          wire::field<&Verdict::partial>(),
          wire::field<&Verdict::timed_out>().omit_empty(),
          wire::field<&Verdict::files>(),
          wire::field<&Verdict::declarations>(),
          wire::field<&Verdict::as_baseline>(),
          wire::field<&Verdict::in_baseline>().unlisted().omit_empty(),
          wire::field<&Verdict::exceptions>(),
          wire::field<&Verdict::verdict_by>().unlisted().only_if<&Verdict::of_theorem>()};
}

void Verdict::judge(std::vector<std::string> all_axioms) {
  trust = lean::trust_of(all_axioms);
  non_standard_axioms.emplace();
  std::remove_copy_if(all_axioms.begin(), all_axioms.end(), std::back_inserter(*non_standard_axioms),
                      lean::is_standard_axiom);
  some_standard = !non_standard_axioms->empty() && non_standard_axioms->size() < all_axioms.size();
  uses_sorry = *trust == lean::AxiomTrust::Incomplete;
  trusted = *trust == lean::AxiomTrust::Standard && kind && *kind != "axiom";
  axioms = std::move(all_axioms);
}

void Verdict::distrust(std::string why) {
  trusted = false;
  reason = std::move(why);
}

void Verdict::doubt(std::string why) {
  if (trust && *trust == lean::AxiomTrust::Standard) trust = std::nullopt;
  distrust(std::move(why));
}

// A library without proofs makes dozens of axioms, of which a few suffice for the answer. Lean's own come
// first.
void Verdict::shorten(wire::Detail detail) {
  const bool is_brief = detail == wire::Detail::Brief;
  if (exceptions) {
    if (is_brief) exceptions = one_for_each_reason(std::move(*exceptions));
    if (exceptions->size() > kMaxItems) {
      truncated = true;
      exceptions->resize(kMaxItems);
    }
  } else if (is_brief) {
    if (without_proof && without_proof->size() > kMaxWithoutProofShown)
      without_proof->resize(kMaxWithoutProofShown);
    if (!axioms || axioms->size() <= kMaxNamesShown) return;
    total = axioms->size();
    truncated = true;
    std::stable_partition(axioms->begin(), axioms->end(), lean::is_standard_axiom);
    axioms->resize(kMaxNamesShown);
    some_standard = false;
  }
}

std::string replaced_objection(const std::string& keyword, const std::string& kind) {
  if (!text::is_theorem_keyword(keyword) || kind == "theorem") return {};
  return "A macro has made this " + keyword + " something else: " + kind + ".";
}

// --- by the compiled term

namespace {

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

}  // namespace

Verdict verdict_on(const olean::Foundation& foundation) {
  Verdict verdict;
  verdict.compiled = true;
  verdict.theorem_name = foundation.name;
  verdict.kind = foundation.kind;
  // The type alone, as Lean's `#check` prints a constant without parameters.
  verdict.statement =
      foundation.statement.starts_with(": ") ? foundation.statement.substr(2) : foundation.statement;
  verdict.judge(foundation.axioms);
  std::string why = objection(foundation);
  if (foundation.without_proof.empty()) {
    if (!why.empty()) verdict.distrust(std::move(why));
    return verdict;
  }
  // The unknown proofs may use further axioms.
  verdict.doubt(std::move(why));
  verdict.without_proof = foundation.without_proof;
  if (verdict.without_proof->size() > kMaxNamesShown) verdict.without_proof->resize(kMaxNamesShown);
  return verdict;
}

// Compiles the whole text first, which answers for every theorem in it; then the text without the part below
// the theorem, where an error may be.
asio::awaitable<Result<Verdict>> Verification::by_compiled_term() {
  const auto compile = [this](TextOfFile of) {
    of.has_programs = found_.program.has_value();
    return compile_module(lean_, std::move(of), found_.read, {{name_}}, scope());
  };
  CO_TRY(auto module, co_await compile(whole_));
  if (!module.why_not.empty() && declared_ && io::Clock::now() < scope().deadline) {
    CO_TRY(module, co_await compile(beginning()));
  }
  if (!module.foundations.empty()) {
    Verdict verdict = verdict_on(module.foundations.front());
    verdict.kernel_replayed = module.accepted;
    if (!module.not_accepted.empty())
      verdict.doubt(unchecked_reason(*found_.program) + " " + module.not_accepted);
    co_return verdict;
  }
  if (module.why_not.empty()) co_return no_such_name();
  if (io::Clock::now() >= scope().deadline) co_return out_of_time("Compiling had not finished");
  Verdict verdict;
  verdict.theorem_name = name_;
  verdict.reason = module.why_not;
  co_return verdict;
}

// --- by Lean's answers

namespace {

constexpr const char* kNotElaborated = "Lean had not elaborated the theorem";

enum VerifyCommand : std::size_t { kCheckType, kPrintKind, kPrintAxioms };

/// Lean's report about the theorem itself. Empty for a theorem that the text does not show.
struct OwnProof {
  std::string error;              ///< "line 7: ..."
  std::optional<int> sorry_line;  ///< of a sorry that Lean warns of
};

OwnProof own_proof(const std::optional<text::NamedDeclaration>& declared,
                   const document::DocumentState& state) {
  OwnProof proof;
  if (!declared) return proof;
  const text::DeclarationSite& site = declared->site;
  if (const auto* error = Messages(state).within(site.start, site.end).errors().first())
    proof.error = "line " + std::to_string(state.text().position_at(error->range.start).line) + ": " +
                  std::string(text::beginning_of(error->message, kMaxReasonBytes));
  for (const lean::SorryPlace& place : lean::find_sorries(state.text(), state.diagnostics()))
    if (site.start <= place.offset && place.offset < site.end && !proof.sorry_line)
      proof.sorry_line = state.text().position_at(place.offset).line;
  return proof;
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

// The file up to the end of the declaration, so that an error below does not matter; the whole file if the
// declaration is in an open `mutual` block.
std::string beginning_with(const std::string& source, const text::NamedDeclaration& declaration) {
  const std::string cut = source.substr(0, declaration.site.end);
  const auto mutual = cut.rfind("mutual");
  return mutual != std::string::npos && cut.find("\nend", mutual) == std::string::npos ? source : cut;
}

}  // namespace

// Why Lean's answer about the axioms is unavailable or unreliable; empty: it is neither.
std::string Verification::why_not_asked() const {
  return found_.answers ? *found_.answers + ", which can change what Lean answers" : "";
}

Verdict Verification::verdict_of(const document::DocumentState& state, const CommandAnswers& asked) const {
  Verdict verdict;
  verdict.theorem_name = name_;
  const auto printed = asked.message(kPrintKind, lean::Severity::Information);
  const auto kind = printed ? lean::read_printed_kind(*printed) : std::nullopt;
  if (kind) verdict.kind = kind->kind;
  std::string why_not = why_not_asked();
  const auto listed =
      why_not.empty() ? asked.message(kPrintAxioms, lean::Severity::Information) : std::nullopt;
  auto axioms = listed ? lean::read_printed_axioms(*listed) : std::nullopt;
  if (axioms && kind) {
    verdict.judge(std::move(axioms->axioms));
    if (kind->is_unsafe) verdict.distrust(name_ + " is unsafe: the kernel did not check it.");
    // To proofs, a partial function is an opaque constant, like one declared `opaque`.
    if (kind->is_partial || (kind->kind == "opaque" && (!declared_ || declared_->site.keyword != "opaque")))
      verdict.distrust(name_ + " is partial or opaque: it may not terminate.");
    if (*verdict.trust == lean::AxiomTrust::Custom && !verdict.reason)
      verdict.distrust("It rests on no sorry, but on " + std::to_string(verdict.non_standard_axioms->size()) +
                       " names that are not Lean's own axioms. If they are theorems of a library that was "
                       "installed without proofs, compile: true says so.");
  } else {
    if (why_not.empty()) why_not = not_listed(asked);
    verdict.distrust(why_not + ". Pass compile: true to read the axioms from the compiled theorem.");
  }
  const OwnProof proof = own_proof(declared_, state);
  const bool rests_on_sorry = verdict.uses_sorry && *verdict.uses_sorry;
  if (!proof.error.empty()) {
    verdict.distrust("The theorem is not proved: " + proof.error);
  } else if (proof.sorry_line || rests_on_sorry) {
    // Lean's warning is trusted even where its silence is not.
    verdict.uses_sorry = true;
    verdict.trust = lean::AxiomTrust::Incomplete;
    verdict.distrust(
        proof.sorry_line ? "Its own proof uses sorry, in line " + std::to_string(*proof.sorry_line) + "."
        : declared_ && !found_.silencer ? "Its own proof has no sorry, but something that it uses does."
                                        : "It or something that it uses contains a sorry.");
  }
  return verdict;
}

// Asks Lean in a scratch document that ends with the theorem. Compiles nothing.
asio::awaitable<Result<Verdict>> Verification::ask_lean() {
  Context context;
  context.text = beginning().text;
  if (!context.text.ends_with('\n')) context.text += '\n';
  context.file = whole_.path;
  const std::string name = "_root_." + name_;
  std::vector<std::string> commands{"#check @" + name, "#print " + name};
  if (why_not_asked().empty()) commands.push_back("#print axioms " + name);
  CO_TRY(const auto asked,
         in_time(co_await ask_in_scratch(whole_.project, std::move(context), std::move(commands), scope())));
  if (!asked) co_return out_of_time(kNotElaborated);
  const OpenFile& scratch = (*asked)->file();
  if (declared_) {
    const text::DeclarationSite& site = declared_->site;
    CO_TRY(const auto outcome, co_await scratch.wait_until_reported_between(site.start, site.end, scope()));
    if (outcome == document::WaitOutcome::Partial) co_return out_of_time(kNotElaborated);
  }
  const document::DocumentState& state = scratch.document().state;
  if ((*asked)->failed(kCheckType) && own_proof(declared_, state).error.empty()) co_return no_such_name();
  Verdict verdict = verdict_of(state, **asked);
  const auto types = co_await checked_types(*asked, scope());
  if (types[kCheckType]) verdict.statement = *types[kCheckType];
  co_return verdict;
}

// If Lean's answer is favourable, it may have left out axioms of imports: the compiled terms decide.
asio::awaitable<Result<Verdict>> Verification::by_lean() {
  CO_TRY(Verdict asked, co_await ask_lean());
  if (!asked.trust || *asked.trust != lean::AxiomTrust::Standard) co_return asked;
  if (co_await lists_all_axioms(lean_, *whole_.project, text::parse_lean_header(whole_.text), scope()))
    co_return asked;
  CO_TRY(Verdict read, co_await by_compiled_term());
  if (read.compiled) co_return read;
  // Without the compiled terms the axioms are unknown: do not show Lean's list as if it were complete.
  asked.axioms = std::nullopt;
  asked.trust = std::nullopt;
  asked.uses_sorry = std::nullopt;
  asked.non_standard_axioms.reset();
  asked.distrust(
      "This version of Lean may leave out axioms of imports (lean4#15226), and the file could not "
      "be compiled to read them. " +
      read.reason.value_or(""));
  asked.partial = read.partial;
  asked.timed_out = read.timed_out;
  co_return asked;
}

// --- the theorem

TextOfFile Verification::beginning() const {
  TextOfFile of = whole_;
  if (declared_) of.text = beginning_with(whole_.text, *declared_);
  return of;
}

Verdict Verification::out_of_time(const std::string& what) const {
  Verdict verdict;
  verdict.theorem_name = name_;
  verdict.partial = verdict.timed_out = true;
  verdict.reason = what + " by the call's deadline; pass a longer timeout_s.";
  return verdict;
}

tl::unexpected<Error> Verification::no_such_name() {
  is_unknown_ = true;
  return fail(ErrorKind::InvalidArgument, file_name_ + " does not define or import " + name_ + ".",
              "Pass the full name with its namespaces; one that fails to elaborate does not exist.");
}

// Ignores a sorry of another declaration: if the theorem depends on that one, its axioms show it.
std::vector<TrustWarning> Verification::warnings() const {
  const text::Text text(whole_.text);
  const int first = declared_ ? text.position_at(declared_->site.start).line : 0,
            end = declared_ ? text.position_at(declared_->site.end).line : 0;
  std::vector<TrustWarning> warnings;
  for (const text::TrustFinding& finding : text::scan_for_trust(whole_.text)) {
    if (warnings.size() == kMaxItems) break;
    const bool elsewhere = finding.line < first || finding.line >= end;
    if (!text::is_missing_proof(finding.pattern) || !elsewhere)
      warnings.push_back({finding.line, finding.pattern});
  }
  return warnings;
}

asio::awaitable<Result<void>> Verification::load() {
  name_ = question_.theorem_name;
  if (name_.starts_with("_root_.")) name_.erase(0, std::string_view("_root_.").size());
  if (!text::is_lean_name(name_))
    co_return fail(ErrorKind::InvalidArgument, "theorem_name is not a valid name.",
                   "Pass the full name with its namespaces, like Nat.add_comm.");
  CO_TRY(const auto location, lean_.workspace.locate(question_.file_path));
  file_name_ = location.path.lexically_relative(location.project->root()).string();
  const auto load = [path = location.path, name = file_name_] { return document::load_file(path, name, {}); };
  CO_TRY(const auto file, co_await lean_.pool.run(load, scope()));
  whole_ = {location.project, location.path, file.text->str()};
  // Refuse an ambiguous name. Accept one that is not in the text: it may come from a macro or an import.
  auto written = text::find_declarations(whole_.text, name_);
  if (written.size() > 1 && written.front().full_name != name_) {
    CO_CHECK(declaration_named(*file.text, name_, file_name_));
  }
  if (written.size() == 1) {
    name_ = written.front().full_name;
    declared_ = std::move(written.front());
  }
  co_return Result<void>();
}

asio::awaitable<Result<Verdict>> Verification::run() {
  CO_CHECK(co_await load());
  CO_TRY(auto found, in_time(co_await scan_sources(lean_, whole_, scope())));
  if (!found) co_return out_of_time("The file's imports had not been read");
  found_ = std::move(*found);
  const bool compile = question_.compile || is_compiled(lean_, whole_, found_.read);
  operation_->progress = [name = file_name_, compile]() -> std::optional<io::Progress> {
    return io::Progress{0, 0, (compile ? "compiling " : "asking Lean about ") + name};
  };
  auto verdict = co_await (compile ? by_compiled_term() : by_lean());
  operation_->progress = {};
  if (!verdict) co_return verdict;
  if (declared_ && verdict->kind)
    if (std::string why = replaced_objection(declared_->site.keyword, *verdict->kind); !why.empty())
      verdict->distrust(std::move(why));
  if (found_.unchecked) verdict->doubt(unchecked_reason(*found_.unchecked));
  verdict->completed_name = verdict->theorem_name != question_.theorem_name;
  if (question_.scan_source) verdict->warnings = warnings();
  co_return verdict;
}

}  // namespace leanbridge::ide
