// lean_minimal_hypotheses: which hypotheses of a theorem its proof does not need.

#include "core/ide/hidden_sorries.hpp"
#include "core/ide/scratch_elaboration.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/mutual_blocks.hpp"
#include "core/text/signature.hpp"
#include "core/text/trust_scan.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

constexpr double kDefaultTrialSeconds = 60;
constexpr double kMaxTrialSeconds = 24 * 3600;

struct MinimalHypothesesParams {
  FileParams file;
  std::string theorem_name;
  double inactivity_timeout = kDefaultTrialSeconds;  ///< seconds for one trial

  static wire::Fields fields() {
    return {wire::flatten<&MinimalHypothesesParams::file>(),
            wire::field<&MinimalHypothesesParams::theorem_name>("With its namespaces"),
            wire::field<&MinimalHypothesesParams::inactivity_timeout>("Seconds for each")
                .with_default()
                .at_least(0)};
  }
};

/// Error: the trials gave no answer.
enum class HypothesisStatus { LoadBearing, Removable, Error };
wire::Names<HypothesisStatus> names_of(HypothesisStatus) {
  return {{HypothesisStatus::LoadBearing, "load-bearing"},
          {HypothesisStatus::Removable, "removable"},
          {HypothesisStatus::Error, "error"}};
}

struct HypothesisVerdict {
  HypothesisStatus status = HypothesisStatus::Error;
  std::string detail;
  std::vector<std::string> tried;      ///< each attempt and its outcome, as a sentence
  std::vector<DiagnosticItem> breaks;  ///< the errors without the hypothesis

  static wire::Fields fields() {
    return wire::fields<&HypothesisVerdict::status, &HypothesisVerdict::detail, &HypothesisVerdict::tried,
                        &HypothesisVerdict::breaks>();
  }
};

struct HypothesisItem {
  std::string binder;
  std::string hypothesis;  ///< the name of the hypothesis
  std::string type;
  HypothesisVerdict verdict;

  static wire::Fields fields() {
    return {wire::field<&HypothesisItem::binder>(), wire::field<&HypothesisItem::hypothesis>(),
            wire::field<&HypothesisItem::type>(), wire::flatten<&HypothesisItem::verdict>()};
  }
};

struct MinimalHypothesesResult {
  std::string theorem_name;
  std::string file;
  std::vector<HypothesisItem> verdicts;
  int skipped_implicit = 0;
  FileStatus status;

  static wire::Fields fields() {
    return {wire::field<&MinimalHypothesesResult::theorem_name>().unlisted(),
            wire::field<&MinimalHypothesesResult::file>().unlisted(),
            wire::field<&MinimalHypothesesResult::verdicts>(),
            wire::field<&MinimalHypothesesResult::skipped_implicit>(),
            wire::flatten<&MinimalHypothesesResult::status>()};
  }
};

// Why a trial does not tell anything about the declaration; empty: it does.
std::string why_inconclusive(const Result<Trial>& trial, int first_line) {
  if (!trial) return trial.error().message;
  if (!trial->complete) return "Lean did not finish it in time.";
  if (trial->header_failed) return imports_not_loaded(*trial);
  for (const Symbol& symbol : trial->unannounced)
    if (trial->text.position_at(symbol.end).line >= first_line) return unannounced_reason(symbol);
  return {};
}

/// The theorem that each trial changes, and what the trials share.
struct TheoremTrials {
  std::shared_ptr<mcp::Call> call;
  const OpenFile& file;
  const text::DeclarationSite& site;
  io::Clock::duration each;  ///< for one trial
  int first_line = 1;
  bool complete = true;  ///< no trial ran out of time

  std::string source() const { return file.text().str(); }
  /// The text to put after the theorem when the file is cut there, such as the end of its block.
  std::string rest() const { return text::rest_of_block(source(), site.keyword_offset); }
};

// Errors from `first_line` on that the unchanged file does not have. Compares the text of lines, not their
// numbers: removing a hypothesis may remove a line.
std::vector<DiagnosticItem> new_errors(const TheoremTrials& trials, const Trial& trial, int first_line) {
  const auto told = [](const text::Text& text, const lean::Diagnostic& diagnostic) {
    return std::pair(std::string(text.line(text.line_at(text.offset_at(diagnostic.range.start)))),
                     diagnostic.message);
  };
  const text::Text& text = trials.file.text();
  std::vector<std::pair<std::string, std::string>> old;
  for (const auto* each : Messages(trials.file.state()).objections().from_line(trials.first_line).list())
    old.push_back(told(text, *each));
  const auto is_fresh = [&](const lean::Diagnostic& each) {
    return std::find(old.begin(), old.end(), told(trial.text, each)) == old.end();
  };
  return list_of(trial.messages().objections().from_line(first_line).where(is_fresh)).items;
}

// "line 7: unknown identifier": the first thing that breaks. "unsolved goals", reported where the proof
// begins, only follows from it.
std::string first_of(const Messages& found) {
  const Messages telling = found.where([](const auto& each) { return each.lean_tags.empty(); });
  const lean::Diagnostic& first = *(telling.any() ? telling : found).earliest();
  const std::string& message = first.message;
  return "line " + std::to_string(found.text().position_at(first.range.start).line) + ": " +
         message.substr(0, message.find('\n'));
}

/// One explicit hypothesis, and the file with changes of it.
struct TriedHypothesis {
  const text::Binder& binder;
  std::size_t index;  ///< of its name in the binder

  const text::BoundName& bound() const { return binder.names[index]; }
};

// Whether something below the theorem names it, and so may pass the hypothesis.
bool is_named_below(const TheoremTrials& trials) {
  return trials.source().find(text::last_part(trials.site.name), trials.site.end) != std::string::npos;
}

// The proof works without the hypothesis: tries the whole file without it.
asio::awaitable<Result<HypothesisVerdict>> try_below(TheoremTrials& trials, std::string shorter) {
  HypothesisVerdict verdict{HypothesisStatus::Removable, "The proof works without it.", {}, {}};
  verdict.tried.emplace_back("Without it: the proof works.");
  if (!is_named_below(trials)) co_return verdict;

  const io::CancelScope scope = trials.call->scope.with_timeout(trials.each);
  CO_TRY(const auto known, co_await trials.file.wait_until_done(scope));
  const auto trial = co_await elaborate_text(trials.call, trials.file, std::move(shorter), scope);
  if (!trial && trial.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(trial.error());
  const std::string why_not = known == document::WaitOutcome::Partial
                                  ? "Lean did not finish the file in time."
                                  : why_inconclusive(trial, trials.first_line);
  if (!why_not.empty()) {
    trials.complete = false;
    verdict.status = HypothesisStatus::Error;
    verdict.detail = "The proof works without it; whether the rest of the file does is unknown: " + why_not;
    co_return verdict;
  }
  verdict.breaks = new_errors(trials, *trial, trials.first_line);
  verdict.tried.push_back(
      "The code below, without it: " +
      (verdict.breaks.empty()
           ? std::string("works.")
           : "line " + std::to_string(verdict.breaks.front().line) + ": " +
                 verdict.breaks.front().message.substr(0, verdict.breaks.front().message.find('\n'))));
  if (!verdict.breaks.empty()) {
    verdict.status = HypothesisStatus::LoadBearing;
    verdict.detail = "The proof works without it, but code below uses it.";
  }
  co_return verdict;
}

// The proof breaks without the hypothesis, but merely because it uses the name. Tries whether the proof needs
// its content: with `True` in its place, the name still exists.
asio::awaitable<Result<HypothesisVerdict>> try_name_alone(TheoremTrials& trials,
                                                          const TriedHypothesis& hypothesis,
                                                          HypothesisVerdict verdict) {
  const std::string bound = "`(" + hypothesis.bound().name + " : True)`";
  const std::string source = trials.source().substr(0, trials.site.end);
  const io::CancelScope scope = trials.call->scope.with_timeout(trials.each);
  std::string changed = text::with_type(source, hypothesis.binder, hypothesis.index, "True") + trials.rest();
  const auto trial = co_await elaborate_text(trials.call, trials.file, std::move(changed), scope);
  if (!trial && trial.error().kind != ErrorKind::WorkerCrashed && trial.error().kind != ErrorKind::Timeout)
    co_return tl::unexpected(trial.error());
  if (const std::string why_not = why_inconclusive(trial, trials.first_line); !why_not.empty()) {
    trials.complete = trials.complete && trial && trial->complete;
    verdict.status = HypothesisStatus::Error;
    verdict.detail =
        "The proof names it; whether it needs it is unknown: with " + bound + " in its place, " + why_not;
    co_return verdict;
  }
  const Messages found = trial->messages().objections().from_line(trials.first_line);
  if (found.any()) {
    verdict.tried.push_back("With " + bound + " in its place: " + first_of(found));
    co_return verdict;
  }
  verdict.tried.push_back("With " + bound + " in its place: the proof works.");
  verdict.status = HypothesisStatus::Removable;
  verdict.detail = "The proof only names it: with " + bound +
                   " in its place it works. To remove it, remove its name from the proof too (see breaks).";
  if (is_named_below(trials)) verdict.detail += " The code below was not tried.";
  co_return verdict;
}

// Tries the theorem without the hypothesis, and then whichever trial follows from the result.
asio::awaitable<Result<HypothesisVerdict>> try_without(TheoremTrials& trials,
                                                       const TriedHypothesis& hypothesis, std::size_t proof) {
  const io::CancelScope scope = trials.call->scope.with_timeout(trials.each);
  const std::string source = trials.source();
  std::string shorter = text::without_name(source, hypothesis.binder, hypothesis.index);
  // The proof does not depend on the text below, so that is not elaborated.
  std::string cut = shorter.substr(0, shorter.size() - (source.size() - trials.site.end)) + trials.rest();
  const auto trial = co_await elaborate_text(trials.call, trials.file, std::move(cut), scope);
  if (!trial && trial.error().kind != ErrorKind::WorkerCrashed && trial.error().kind != ErrorKind::Timeout)
    co_return tl::unexpected(trial.error());
  HypothesisVerdict verdict;
  verdict.detail = why_inconclusive(trial, trials.first_line);
  if (!verdict.detail.empty()) {
    trials.complete = trials.complete && trial && trial->complete;
    co_return verdict;
  }
  const Messages found = trial->messages().objections().from_line(trials.first_line);
  if (!found.any()) co_return co_await try_below(trials, std::move(shorter));
  const std::string broken = first_of(found);
  verdict.status = HypothesisStatus::LoadBearing;
  verdict.detail = "The proof breaks without it.";
  verdict.tried.push_back("Without it: " + broken);
  verdict.breaks = list_of(found).items;
  if (!text::mentions(source, proof, trials.site.end, hypothesis.bound().name)) co_return verdict;
  co_return co_await try_name_alone(trials, hypothesis, std::move(verdict));
}

HypothesisItem item_of(const text::Binder& binder, const text::BoundName& bound, HypothesisVerdict verdict) {
  return {"(" + bound.name + (binder.type.empty() ? "" : " : " + binder.type) + ")", bound.name, binder.type,
          std::move(verdict)};
}

// The first part of the statement that mentions the name of a binder: `(h : p)`, or the conclusion.
std::string where_mentioned(const std::string& source, const text::Signature& signature,
                            const text::Binder& binder, const std::string& name) {
  for (const text::Binder& other : signature.binders)
    if (other.begin >= binder.end && text::mentions(source, other.begin, other.end, name))
      return "`" + source.substr(other.begin, other.end - other.begin) + "`";
  return "its conclusion";
}

// The error in the unchanged theorem; empty: it is proved.
asio::awaitable<Result<std::string>> try_unchanged(TheoremTrials& trials) {
  std::string unchanged = trials.source().substr(0, trials.site.end) + trials.rest();
  const auto trial =
      co_await elaborate_text(trials.call, trials.file, std::move(unchanged), trials.call->scope);
  if (!trial) co_return tl::unexpected(trial.error());
  trials.complete = trial->complete;
  std::string wrong = why_inconclusive(trial, trials.first_line);
  const auto* found = trial->messages().objections().from_line(trials.first_line).first();
  if (wrong.empty() && found)
    wrong = found->is_error() ? found->message.substr(0, found->message.find('\n')) : "The proof uses sorry.";
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
  TheoremTrials trials{call, file, site, each, first_line};
  CO_TRY(std::string wrong, co_await try_unchanged(trials));
  TextOfFile whole{file.store(), file.document().path, source};
  CO_TRY(const auto silencer, co_await find_silencer(environment, std::move(whole), call->scope));
  if (wrong.empty() && silencer)
    wrong = "A successful proof means nothing here: Lean may not report sorry (" + *silencer + ").";

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
      // With autoImplicit, Lean would bind the missing name itself.
      if (wrong.empty() && text::mentions(source, binder.end, signature.end, binder.names[i].name)) {
        verdict.status = HypothesisStatus::LoadBearing;
        verdict.detail = "Not tried: the rest of the statement mentions it, in " +
                         where_mentioned(source, signature, binder, binder.names[i].name) + ".";
      } else if (wrong.empty()) {
        CO_TRY(verdict, co_await try_without(trials, {binder, i}, signature.end));
      }
      result.verdicts.push_back(item_of(binder, binder.names[i], std::move(verdict)));
    }
  }
  result.theorem_name = declaration.full_name;
  result.file = name;
  result.status = status_of(file, late_if(!trials.complete));
  co_return result;
}

}  // namespace

mcp::Tool lean_minimal_hypotheses(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_minimal_hypotheses",
       .title = "Find unneeded hypotheses",
       .group = "build",
       .description = "Tries a theorem without each explicit hypothesis: load-bearing, removable or "
                      "error; tried says what broke. Two removable ones may not be removable together."},
      minimal_hypotheses);
}

}  // namespace leanbridge::tools
