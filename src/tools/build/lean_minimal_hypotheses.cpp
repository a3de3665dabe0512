// lean_minimal_hypotheses: which hypotheses of a theorem its proof can do without.

#include "leanbridge/text/signature.hpp"
#include "leanbridge/text/trust_scan.hpp"

#include "tools/common/hidden_sorries.hpp"
#include "tools/common/scratch_elaboration.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr double kDefaultTrialSeconds = 60;
constexpr double kMaxTrialSeconds = 24 * 3600;

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

struct Verdict {
  const char* status = "error";
  std::string detail;
  json breaks = json::array();
};

// Errors from `first_line` on that the file as it is does not have. Lines move when a hypothesis goes that
// had one of its own: what stands in the line counts, not its number.
json new_errors(const Question& question, const Trial& trial, int first_line) {
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
  json listed;
  add_items(listed, trial.text, std::move(fresh));
  return std::move(listed["items"]);
}

// The file without it, where something below the theorem speaks of the theorem: that may pass it.
asio::awaitable<Result<Verdict>> try_below(Question& question, std::string shorter) {
  Verdict verdict{"removable", "The proof goes through without it.", json::array()};
  const std::string& name = question.site.name;
  const std::string last = name.substr(name.rfind('.') + 1);  // npos + 1 is 0
  if (question.source().find(last, question.site.end) == std::string::npos) co_return verdict;

  const io::CancelScope scope = question.call->scope.with_timeout(question.each);
  const auto known = co_await document::wait_until_done(question.file.share(), scope);
  if (!known) co_return tl::unexpected(known.error());
  const auto trial = co_await elaborate_text(question.call, question.file, std::move(shorter), scope);
  if (!trial && trial.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(trial.error());
  const std::string why_not =
      *known == document::Known::Partial ? "Lean did not get through the file in time." : no_answer(trial);
  if (!why_not.empty()) {
    question.complete = false;
    verdict = {"error", "The proof goes through without it; what stands below is unknown: " + why_not,
               json::array()};
    co_return verdict;
  }
  verdict.breaks = new_errors(question, *trial, question.first_line);
  if (!verdict.breaks.empty()) {
    verdict.status = "load-bearing";
    verdict.detail = "The proof goes through without it, but what stands below uses it.";
  }
  co_return verdict;
}

// `shorter` is the file without the hypothesis, `below` the length of what stands below the theorem.
asio::awaitable<Result<Verdict>> try_without(Question& question, std::string shorter, std::size_t below) {
  const io::CancelScope scope = question.call->scope.with_timeout(question.each);
  // What stands below does not matter for the proof, and need not be elaborated.
  std::string cut = shorter.substr(0, shorter.size() - below);
  const auto trial = co_await elaborate_text(question.call, question.file, std::move(cut), scope);
  if (!trial && trial.error().kind != ErrorKind::WorkerCrashed && trial.error().kind != ErrorKind::Timeout)
    co_return tl::unexpected(trial.error());
  Verdict verdict;
  verdict.detail = no_answer(trial);
  if (!verdict.detail.empty()) {
    question.complete = question.complete && trial && trial->complete;
    co_return verdict;
  }
  auto found = troubles(trial->text, question.first_line, trial->diagnostics);
  if (found.empty()) co_return co_await try_below(question, std::move(shorter));
  verdict.status = "load-bearing";
  verdict.detail = "Without it: " + found.front()->message.substr(0, found.front()->message.find('\n'));
  json listed;
  add_items(listed, trial->text, std::move(found));
  verdict.breaks = std::move(listed["items"]);
  co_return verdict;
}

json item_of(const text::Binder& binder, const text::BoundName& bound, Verdict verdict) {
  return {{"binder", "(" + bound.name + (binder.type.empty() ? "" : " : " + binder.type) + ")"},
          {"hypothesis", bound.name},
          {"type", binder.type},
          {"status", verdict.status},
          {"detail", std::move(verdict.detail)},
          {"breaks", std::move(verdict.breaks)}};
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

Answer answer_minimal_hypotheses(Environment& environment, std::shared_ptr<mcp::Call> call,
                                 mcp::Arguments arguments) {
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  const std::string source = file->text().str();
  const auto declaration =
      declaration_named(file->text(), arguments.string("theorem_name"), file->document().name);
  if (!declaration) co_return tl::unexpected(declaration.error());
  const text::DeclarationSite& site = declaration->site;
  const std::chrono::duration<double> limit(std::min(
      arguments.optional_number("inactivity_timeout").value_or(kDefaultTrialSeconds), kMaxTrialSeconds));
  const auto each = std::chrono::duration_cast<io::Clock::duration>(limit);
  const int first_line = file->text().position_at(site.start).line;
  Question question{call, *file, site, each, first_line};
  auto wrong = co_await try_as_it_is(question);
  if (!wrong) co_return tl::unexpected(wrong.error());
  const auto silencer =
      co_await find_silencer(environment, {file->table, file->document().path, source}, call->scope);
  if (!silencer) co_return tl::unexpected(silencer.error());
  if (wrong->empty() && *silencer)
    wrong =
        "A proof that goes through says nothing here: Lean may keep silent about sorry (" + **silencer + ").";

  const text::Signature signature = text::signature_of(source, site);
  json verdicts = json::array();
  int skipped = 0;
  for (const text::Binder& binder : signature.binders) {
    if (binder.kind != text::BinderKind::Explicit) {
      ++skipped;
      continue;
    }
    for (std::size_t i = 0; i < binder.names.size(); ++i) {
      Verdict verdict;
      verdict.detail = *wrong;
      // Without it Lean might bind the name by itself: autoImplicit.
      if (wrong->empty() && text::mentions(source, binder.end, signature.end, binder.names[i].name)) {
        verdict.status = "load-bearing";
        verdict.detail = "The rest of the statement mentions it.";
      } else if (wrong->empty()) {
        std::string shorter = text::without_name(source, binder, i);
        auto tried = co_await try_without(question, std::move(shorter), source.size() - site.end);
        if (!tried) co_return tl::unexpected(tried.error());
        verdict = std::move(*tried);
      }
      verdicts.push_back(item_of(binder, binder.names[i], std::move(verdict)));
    }
  }
  json result = {{"theorem_name", declaration->full_name},
                 {"file", file->document().name},
                 {"verdicts", std::move(verdicts)},
                 {"skipped_implicit", skipped}};
  co_return finish(std::move(result), *file, !question.complete, !question.complete);
}

}  // namespace

mcp::Tool lean_minimal_hypotheses(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_minimal_hypotheses";
  tool.title = "Find unneeded hypotheses";
  tool.group = "build";
  tool.description =
      "Tries a theorem without each explicit hypothesis: load-bearing, removable or error. Two removable "
      "ones "
      "may not be removable together.";
  tool.arguments = {
      file_argument(), Argument::required_("theorem_name", ArgumentType::String, "With its namespaces"),
      Argument::optional_("inactivity_timeout", ArgumentType::Number, "Seconds for each, default 60")
          .at_least(0)};
  answers_from_trial(tool, {{"verdicts", schema::list({})}, {"skipped_implicit", schema::integer()}},
                     {"verdicts", "skipped_implicit"});
  tool.handler = bind_handler(environment, answer_minimal_hypotheses);
  return tool;
}

}  // namespace leanbridge::tools
