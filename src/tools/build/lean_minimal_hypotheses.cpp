// lean_minimal_hypotheses: which hypotheses of a theorem its proof can do without.

#include "leanbridge/text/signature.hpp"
#include "leanbridge/text/trust_scan.hpp"

#include "tools/common/hidden_sorries.hpp"
#include "tools/common/scratch_elaboration.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

constexpr double kDefaultTrialSeconds = 60;
constexpr double kMaxTrialSeconds = 24 * 3600;

struct MinimalHypothesesParams {
  FileParams file;
  std::string theorem_name;
  double inactivity_timeout = kDefaultTrialSeconds;  ///< for one trial

  static wire::Fields fields() {
    return {wire::flatten<&MinimalHypothesesParams::file>(),
            wire::field<&MinimalHypothesesParams::theorem_name>("theorem_name", "With its namespaces"),
            wire::field<&MinimalHypothesesParams::inactivity_timeout>("inactivity_timeout",
                                                                      "Seconds for each, default 60")
                .with_default()
                .at_least(0)};
  }
};

/// Error: it is not known.
enum class HypothesisStatus { LoadBearing, Removable, Error };
wire::Names<HypothesisStatus> names_of(HypothesisStatus) {
  return {{HypothesisStatus::LoadBearing, "load-bearing"},
          {HypothesisStatus::Removable, "removable"},
          {HypothesisStatus::Error, "error"}};
}

struct HypothesisVerdict {
  HypothesisStatus status = HypothesisStatus::Error;
  std::string detail;
  std::vector<DiagnosticItem> breaks;  ///< what goes wrong without it

  static wire::Fields fields() {
    return {wire::field<&HypothesisVerdict::status>("status"),
            wire::field<&HypothesisVerdict::detail>("detail"),
            wire::field<&HypothesisVerdict::breaks>("breaks")};
  }
};

struct HypothesisItem {
  std::string binder;
  std::string hypothesis;  ///< its name
  std::string type;
  HypothesisVerdict verdict;

  static wire::Fields fields() {
    return {wire::field<&HypothesisItem::binder>("binder"),
            wire::field<&HypothesisItem::hypothesis>("hypothesis"),
            wire::field<&HypothesisItem::type>("type"), wire::flatten<&HypothesisItem::verdict>()};
  }
};

struct MinimalHypothesesResult {
  std::string theorem_name;
  std::string file;
  std::vector<HypothesisItem> verdicts;
  int skipped_implicit = 0;
  FileStatus status;

  static wire::Fields fields() {
    return {wire::field<&MinimalHypothesesResult::theorem_name>("theorem_name").unlisted(),
            wire::field<&MinimalHypothesesResult::file>("file").unlisted(),
            wire::field<&MinimalHypothesesResult::verdicts>("verdicts"),
            wire::field<&MinimalHypothesesResult::skipped_implicit>("skipped_implicit"),
            wire::flatten<&MinimalHypothesesResult::status>()};
  }
};

// Errors and uses of sorry from a line on, in the order of Lean's reports.
std::vector<const lean::Diagnostic*> troubles(const text::Text& text, int first_line,
                                              const std::vector<lean::Diagnostic>& diagnostics) {
  std::vector<const lean::Diagnostic*> found;
  for (const lean::Diagnostic& diagnostic : diagnostics)
    if (text.position_at(diagnostic.range.start).line >= first_line &&
        (diagnostic.severity == lean::Severity::Error || is_sorry(diagnostic)))
      found.push_back(&diagnostic);
  return found;
}

// Why a trial says nothing about the declaration; empty where it does.
std::string no_answer(const Result<Trial>& trial) {
  if (!trial) return trial.error().message;
  if (!trial->complete) return "Lean did not get through it in time.";
  if (trial->header_failed) return "Lean cannot load the file's imports.";
  return {};
}

/// The theorem, and what is asked of it again and again.
struct Question {
  std::shared_ptr<mcp::Call> call;
  const OpenFile& file;
  const text::DeclarationSite& site;
  io::Clock::duration each;  ///< for one trial
  int first_line = 1;
  bool complete = true;  ///< no trial ran out of time

  std::string source() const { return file.text().str(); }
};

// Errors from `first_line` on that the file as it is does not have. Lines move when a hypothesis goes that
// had one of its own: what stands in the line counts, not its number.
std::vector<DiagnosticItem> new_errors(const Question& question, const Trial& trial, int first_line) {
  const auto told = [](const text::Text& text, const lean::Diagnostic& diagnostic) {
    return std::pair(std::string(text.line(text.line_at(text.offset_at(diagnostic.range.start)))),
                     diagnostic.message);
  };
  const text::Text& text = question.file.text();
  std::vector<std::pair<std::string, std::string>> old;
  for (const auto* diagnostic :
       troubles(text, question.first_line, question.file.document().state.diagnostics()))
    old.push_back(told(text, *diagnostic));
  std::vector<const lean::Diagnostic*> fresh;
  for (const auto* diagnostic : troubles(trial.text, first_line, trial.diagnostics))
    if (std::find(old.begin(), old.end(), told(trial.text, *diagnostic)) == old.end())
      fresh.push_back(diagnostic);
  return list_of(trial.text, std::move(fresh)).items;
}

// The file without it, where something below the theorem speaks of the theorem: that may pass it.
asio::awaitable<Result<HypothesisVerdict>> try_below(Question& question, std::string shorter) {
  HypothesisVerdict verdict{HypothesisStatus::Removable, "The proof goes through without it.", {}};
  const std::string& name = question.site.name;
  const std::string last = name.substr(name.rfind('.') + 1);  // npos + 1 is 0
  if (question.source().find(last, question.site.end) == std::string::npos) co_return verdict;

  const io::CancelScope scope = question.call->scope.with_timeout(question.each);
  CO_TRY(const auto known, co_await question.file.wait_until_done(scope));
  const auto trial = co_await elaborate_text(question.call, question.file, std::move(shorter), scope);
  if (!trial && trial.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(trial.error());
  const std::string why_not = known == document::WaitOutcome::Partial
                                  ? "Lean did not get through the file in time."
                                  : no_answer(trial);
  if (!why_not.empty()) {
    question.complete = false;
    verdict.status = HypothesisStatus::Error;
    verdict.detail = "The proof goes through without it; what stands below is unknown: " + why_not;
    co_return verdict;
  }
  verdict.breaks = new_errors(question, *trial, question.first_line);
  if (!verdict.breaks.empty()) {
    verdict.status = HypothesisStatus::LoadBearing;
    verdict.detail = "The proof goes through without it, but what stands below uses it.";
  }
  co_return verdict;
}

// `shorter` is the file without the hypothesis, `below` the length of what stands below the theorem.
asio::awaitable<Result<HypothesisVerdict>> try_without(Question& question, std::string shorter,
                                                       std::size_t below) {
  const io::CancelScope scope = question.call->scope.with_timeout(question.each);
  // What stands below does not matter for the proof, and need not be elaborated.
  std::string cut = shorter.substr(0, shorter.size() - below);
  const auto trial = co_await elaborate_text(question.call, question.file, std::move(cut), scope);
  if (!trial && trial.error().kind != ErrorKind::WorkerCrashed && trial.error().kind != ErrorKind::Timeout)
    co_return tl::unexpected(trial.error());
  HypothesisVerdict verdict;
  verdict.detail = no_answer(trial);
  if (!verdict.detail.empty()) {
    question.complete = question.complete && trial && trial->complete;
    co_return verdict;
  }
  auto found = troubles(trial->text, question.first_line, trial->diagnostics);
  if (found.empty()) co_return co_await try_below(question, std::move(shorter));
  verdict.status = HypothesisStatus::LoadBearing;
  verdict.detail = "Without it: " + found.front()->message.substr(0, found.front()->message.find('\n'));
  verdict.breaks = list_of(trial->text, std::move(found)).items;
  co_return verdict;
}

HypothesisItem item_of(const text::Binder& binder, const text::BoundName& bound, HypothesisVerdict verdict) {
  return {"(" + bound.name + (binder.type.empty() ? "" : " : " + binder.type) + ")", bound.name, binder.type,
          std::move(verdict)};
}

// What is wrong with the theorem as it is; empty where it is proved.
asio::awaitable<Result<std::string>> try_as_it_is(Question& question) {
  const auto trial = co_await elaborate_text(
      question.call, question.file, question.source().substr(0, question.site.end), question.call->scope);
  if (!trial) co_return tl::unexpected(trial.error());
  question.complete = trial->complete;
  std::string wrong = no_answer(trial);
  const auto found = troubles(trial->text, question.first_line, trial->diagnostics);
  if (wrong.empty() && !found.empty())
    wrong = is_sorry(*found.front()) ? "The proof uses sorry."
                                     : found.front()->message.substr(0, found.front()->message.find('\n'));
  co_return wrong.empty() ? wrong : "The theorem itself is not proved: " + wrong;
}

asio::awaitable<Result<MinimalHypothesesResult>> minimal_hypotheses(Environment& environment,
                                                                    std::shared_ptr<mcp::Call> call,
                                                                    MinimalHypothesesParams params) {
  CO_TRY(const OpenFile file, co_await open_file(environment, call, params.file.file_path));
  const std::string source = file.text().str();
  const std::string& name = file.document().name;
  CO_TRY(const auto declaration, declaration_named(file.text(), params.theorem_name, name));
  const text::DeclarationSite& site = declaration.site;
  const std::chrono::duration<double> limit(std::min(params.inactivity_timeout, kMaxTrialSeconds));
  const auto each = std::chrono::duration_cast<io::Clock::duration>(limit);
  const int first_line = file.text().position_at(site.start).line;
  Question question{call, file, site, each, first_line};
  CO_TRY(std::string wrong, co_await try_as_it_is(question));
  TextOfFile whole{file.store(), file.document().path, source};
  CO_TRY(const auto silencer, co_await find_silencer(environment, std::move(whole), call->scope));
  if (wrong.empty() && silencer)
    wrong =
        "A proof that goes through says nothing here: Lean may keep silent about sorry (" + *silencer + ").";

  MinimalHypothesesResult result;
  const text::Signature signature = text::signature_of(source, site);
  for (const text::Binder& binder : signature.binders) {
    if (binder.kind != text::BinderKind::Explicit) {
      ++result.skipped_implicit;
      continue;
    }
    for (std::size_t i = 0; i < binder.names.size(); ++i) {
      HypothesisVerdict verdict;
      verdict.detail = wrong;
      // Without it Lean might bind the name by itself: autoImplicit.
      if (wrong.empty() && text::mentions(source, binder.end, signature.end, binder.names[i].name)) {
        verdict.status = HypothesisStatus::LoadBearing;
        verdict.detail = "The rest of the statement mentions it.";
      } else if (wrong.empty()) {
        std::string shorter = text::without_name(source, binder, i);
        CO_TRY(verdict, co_await try_without(question, std::move(shorter), source.size() - site.end));
      }
      result.verdicts.push_back(item_of(binder, binder.names[i], std::move(verdict)));
    }
  }
  result.theorem_name = declaration.full_name;
  result.file = name;
  result.status = status_of(file, late_if(!question.complete));
  co_return result;
}

}  // namespace

mcp::Tool lean_minimal_hypotheses(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_minimal_hypotheses",
                    .title = "Find unneeded hypotheses",
                    .group = "build",
                    .description = "Tries a theorem without each explicit hypothesis: load-bearing, "
                                   "removable or error. Two removable ones may not be removable together."},
                   minimal_hypotheses);
}

}  // namespace leanbridge::tools
