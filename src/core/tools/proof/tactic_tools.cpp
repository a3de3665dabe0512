// The tools that try tactics before they are written.

#include "core/base/try.hpp"
#include "core/ide/proof_writing.hpp"
#include "core/text/goal_difference.hpp"
#include "core/text/utf8.hpp"
#include "tactic_trials.hpp"

#include <algorithm>

namespace leanbridge::tools {

// --- lean_multi_attempt: several tactics tried independently at a position.

namespace {

// A tactic that takes longer usually does not terminate, and must not delay the answer about the others until
// the server's own timeout. A caller that passes timeout_s has chosen how long to wait.
constexpr auto kPerAttempt = std::chrono::seconds(15);
constexpr std::size_t kMaxSnippets = 64;
constexpr std::string_view kGoalMark = "⟨goal⟩";
constexpr std::string_view kKnownGoal = "in `goal`";
constexpr std::size_t kShownOfSnippet = 200;  // bytes, in brief answers: the caller has the rest

struct MultiAttemptParams {
  FilePosition at;
  std::vector<std::string> snippets;
  bool parallel = true;
  bool write = false;

  static wire::Fields fields() {
    return {wire::flatten<&MultiAttemptParams::at>(),
            wire::field<&MultiAttemptParams::snippets>("Tactics to try"),
            wire::field<&MultiAttemptParams::parallel>().with_default(),
            wire::field<&MultiAttemptParams::write>("The first that completes the proof").with_default()};
  }
};

struct AttemptItem {
  std::string snippet;
  std::optional<std::size_t> number;    ///< from 1, where the snippet is not shown whole
  std::optional<std::string> tried_as;  ///< where that is not the snippet
  std::optional<std::vector<OpenSorry>> sorries;
  std::vector<Goal> goals;
  std::vector<DiagnosticItem> diagnostics;
  bool timed_out = false;
  AttemptVerdict verdict;
  std::optional<bool> truncated;

  static wire::Fields fields() {
    return {wire::field<&AttemptItem::snippet>(),
            wire::field<&AttemptItem::number>().unlisted(),
            wire::field<&AttemptItem::tried_as>().unlisted(),
            wire::flatten<&AttemptItem::verdict>(),
            wire::field<&AttemptItem::goals>(),
            wire::field<&AttemptItem::sorries>().unlisted(),
            wire::field<&AttemptItem::diagnostics>(),
            wire::field<&AttemptItem::timed_out>(),
            wire::field<&AttemptItem::truncated>()};
  }
};

/// The snippet that was written, and its lines.
struct WrittenAttempt {
  std::size_t number = 1;  ///< from 1
  int start_line = 1, end_line = 1;

  static wire::Fields fields() {
    return wire::fields<&WrittenAttempt::number, &WrittenAttempt::start_line, &WrittenAttempt::end_line>();
  }
};

struct MultiAttemptResult {
  std::optional<WrittenAttempt> written;
  std::optional<std::string> not_written;  ///< why, if it was to be
  std::vector<AttemptItem> items;
  std::optional<std::string> goal;  ///< the goal that kGoalMark replaces in messages
  std::optional<std::string> hint;  ///< where the proof begins, if there is none at the position
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&MultiAttemptResult::written>().unlisted(),
            wire::field<&MultiAttemptResult::not_written>().unlisted(),
            wire::field<&MultiAttemptResult::items>(),
            wire::field<&MultiAttemptResult::goal>(),
            wire::field<&MultiAttemptResult::hint>(),
            wire::flatten<&MultiAttemptResult::file>()};
  }
};

// Where a proof begins near a position in the file as it is now.
std::optional<std::string> proof_near(const OpenFile& file, const FilePosition& at) {
  const auto offset = offset_of(file, at.line, at.column, ColumnDefault::FirstNonBlank);
  return offset ? where_proof_begins(file.state(), *offset) : std::nullopt;
}

std::optional<std::string> moved_hint(const Attempt& attempt) {
  return attempt.moved.empty() ? std::nullopt : std::optional(attempt.moved);
}

AttemptItem item_of(Attempt attempt) {
  AttemptItem item;
  item.snippet = std::move(attempt.snippet);
  if (!attempt.tried_as.empty()) item.tried_as = std::move(attempt.tried_as);
  if (!attempt.sorries.empty()) item.sorries = std::move(attempt.sorries);
  if (attempt.after.in_proof) item.goals = std::move(attempt.after.goals);
  item.diagnostics = std::move(attempt.diagnostics);
  item.timed_out = attempt.timed_out;
  item.verdict = std::move(attempt.verdict);
  const bool fewer_goals = cap(item.goals, kMaxGoals);
  const bool fewer_messages = cap(item.diagnostics, kMaxMessages);
  if (fewer_goals || fewer_messages) item.truncated = true;
  return item;
}

// Many failing tactics end their message with the same goal: give it once.
void say_goal_once(MultiAttemptResult& result, const std::string& goal) {
  std::vector<std::string*> repeating;
  for (AttemptItem& item : result.items)
    for (DiagnosticItem& diagnostic : item.diagnostics)
      if (diagnostic.message.ends_with("\n" + goal)) repeating.push_back(&diagnostic.message);
  if (repeating.size() < 2) return;
  for (std::string* message : repeating) {
    message->resize(message->size() - goal.size());
    *message += kGoalMark;
  }
  result.goal = goal;
}

std::string beginning_of_snippet(const std::string& snippet) {
  return std::string(text::beginning_of(snippet, kShownOfSnippet)) + "…";
}

// The caller has the snippets, and knows them by their order.
void shorten_snippets(MultiAttemptResult& result) {
  for (std::size_t i = 0; i < result.items.size(); ++i) {
    AttemptItem& item = result.items[i];
    if (item.snippet.size() > kShownOfSnippet) {
      item.snippet = beginning_of_snippet(item.snippet);
      item.number = i + 1;
    }
    if (item.tried_as && item.tried_as->size() > kShownOfSnippet)
      item.tried_as = beginning_of_snippet(*item.tried_as);
  }
}

// "unsolved goals" and the goals, each as a difference to one that is known; other messages as they are.
std::string unsolved_briefly(const std::string& message, const std::string& known) {
  constexpr std::string_view kHead = "unsolved goals\n", kGap = "\n\n";
  if (!message.starts_with(kHead)) return message;
  std::string brief(kHead);
  for (std::size_t at = kHead.size(); at < message.size();) {
    const std::size_t end = std::min(message.find(kGap, at), message.size());
    if (at > kHead.size()) brief += kGap;
    brief += text::goal_difference(message.substr(at, end - at), {known}, kKnownGoal);
    at = end + kGap.size();
  }
  return brief;
}

// Goals have most hypotheses in common with the goal that was there before: each is said once.
void say_hypotheses_once(MultiAttemptResult& result, const std::string& goal) {
  std::vector<std::pair<std::string*, std::string>> shorter;
  std::size_t saved = 0;
  const auto look_at = [&](std::string& each) {
    std::string difference = text::goal_difference(each, {goal}, kKnownGoal);
    if (difference.size() >= each.size()) return;
    saved += each.size() - difference.size();
    shorter.emplace_back(&each, std::move(difference));
  };
  for (AttemptItem& item : result.items) {
    for (DiagnosticItem& each : item.diagnostics)
      if (std::string brief = unsolved_briefly(each.message, goal); brief.size() < each.message.size()) {
        saved += each.message.size() - brief.size();
        shorter.emplace_back(&each.message, std::move(brief));
      }
    for (Goal& each : item.goals)
      if (auto* whole = std::get_if<std::string>(&each)) look_at(*whole);
    if (item.sorries)
      for (OpenSorry& sorry : *item.sorries)
        for (std::string& each : sorry.goals) look_at(each);
  }
  if (shorter.empty() || (!result.goal && saved <= goal.size())) return;
  for (auto& [whole, difference] : shorter) *whole = std::move(difference);
  result.goal = goal;
}

// Writes the first attempt that completes the proof.
asio::awaitable<Result<void>> write_complete(Environment& environment, std::shared_ptr<mcp::Call> call,
                                             std::string file_path, std::vector<Attempt> attempts,
                                             MultiAttemptResult& result) {
  const auto found = std::find_if(attempts.begin(), attempts.end(), [](const Attempt& each) {
    return each.verdict.proof_complete && each.verdict.replaces_lines;
  });
  if (found == attempts.end()) {
    result.not_written = "No snippet completes the proof.";
    co_return Result<void>();
  }
  const auto [first, last] = *found->verdict.replaces_lines;
  WriteProofParams edit{std::move(file_path), {{first, last, found->new_lines, found->old_lines}}};
  edit.all_goals = call->detail == wire::Detail::Full;
  CO_TRY(const auto done, co_await write_proof(environment, call, std::move(edit)));
  if (done.written)
    result.written = WrittenAttempt{static_cast<std::size_t>(found - attempts.begin()) + 1,
                                    *done.lines.start_line, *done.lines.end_line};
  else
    result.not_written = done.reason.value_or("The file was changed meanwhile.");
  co_return Result<void>();
}

asio::awaitable<Result<MultiAttemptResult>> multi_attempt(Environment& environment,
                                                          std::shared_ptr<mcp::Call> call,
                                                          MultiAttemptParams params) {
  CO_TRY(const auto file, co_await open_file(environment, call, params.at.file_path));
  const std::size_t count = params.snippets.size();
  if (count == 0 || count > kMaxSnippets)
    co_return fail(ErrorKind::InvalidArgument, "snippets has " + std::to_string(count) + " entries.",
                   "Pass 1 to " + std::to_string(kMaxSnippets) + " tactics.");
  const io::Clock::duration limit = call->has_timeout ? io::kNoDeadline : kPerAttempt;
  CO_TRY(auto attempts,
         co_await run_attempts(environment, call, file, params.at.line, params.at.column,
                               std::move(params.snippets), params.parallel ? count : 1, limit));

  MultiAttemptResult result;
  if (params.write)
    CO_CHECK(co_await write_complete(environment, call, params.at.file_path, attempts, result));
  result.hint = moved_hint(attempts.front());
  bool timed_out = false, outside = false;
  std::string goal;
  for (Attempt& attempt : attempts) {
    if (goal.empty() && !attempt.before.goals.empty())
      if (const auto* text = std::get_if<std::string>(&attempt.before.goals.front())) goal = *text;
    timed_out = timed_out || attempt.timed_out;
    outside = outside || attempt.outside;
    result.items.push_back(item_of(std::move(attempt)));
  }
  if (call->detail == wire::Detail::Brief) {
    shorten_snippets(result);
    if (!goal.empty()) say_goal_once(result, goal);
    if (!goal.empty()) say_hypotheses_once(result, goal);
  }
  if (outside) result.hint = proof_near(file, params.at);
  result.file = status_of(file, timed_out ? Completeness::TimedOut : Completeness::Complete);
  co_return result;
}

}  // namespace

mcp::Tool lean_multi_attempt(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_multi_attempt",
       .title = "Try tactics",
       .group = "proof",
       .description = "Compares several tactics at a position without changing the file: goals and "
                      "messages of each, and the lines that it would replace.",
       .caller_code = true,
       .shows_timeout = true},
      multi_attempt);
}

// --- lean_validate_step: one tactic, tried before it is written.

namespace {

struct ValidateStepParams {
  FilePosition at;
  std::string tactic;

  static wire::Fields fields() {
    return {wire::flatten<&ValidateStepParams::at>(),
            wire::field<&ValidateStepParams::tactic>("May span lines")};
  }
};

struct ValidateStepResult {
  bool valid = false;
  AttemptVerdict verdict;
  GoalList goals_before, goals_after;
  std::vector<DiagnosticItem> errors, warnings, infos;
  std::optional<bool> truncated;
  std::optional<std::string> hint;  ///< where it was tried, if not at the given position
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&ValidateStepResult::valid>(),
            wire::flatten<&ValidateStepResult::verdict>(),
            wire::field<&ValidateStepResult::goals_before>().unlisted(),
            wire::field<&ValidateStepResult::goals_after>().unlisted(),
            wire::field<&ValidateStepResult::errors>(),
            wire::field<&ValidateStepResult::warnings>().unlisted(),
            wire::field<&ValidateStepResult::infos>().unlisted(),
            wire::field<&ValidateStepResult::truncated>(),
            wire::field<&ValidateStepResult::hint>(),
            wire::flatten<&ValidateStepResult::file>()};
  }
};

void add_by_severity(ValidateStepResult& result, std::vector<DiagnosticItem> diagnostics) {
  for (DiagnosticItem& diagnostic : diagnostics) {
    if (diagnostic.severity == lean::Severity::Error)
      result.errors.push_back(std::move(diagnostic));
    else if (diagnostic.severity == lean::Severity::Warning)
      result.warnings.push_back(std::move(diagnostic));
    else if (diagnostic.severity == lean::Severity::Information)
      result.infos.push_back(std::move(diagnostic));
  }
}

asio::awaitable<Result<ValidateStepResult>> validate_step(Environment& environment,
                                                          std::shared_ptr<mcp::Call> call,
                                                          ValidateStepParams params) {
  CO_TRY(const auto file, co_await open_file(environment, call, params.at.file_path));
  std::vector<std::string> tactics = {std::move(params.tactic)};
  CO_TRY(auto attempts, co_await run_attempts(environment, call, file, params.at.line, params.at.column,
                                              std::move(tactics), 1, io::kNoDeadline));
  Attempt& attempt = attempts.front();
  if (!attempt.timed_out && (attempt.outside || !attempt.before.in_proof)) {
    std::string next = "Pass the line of a tactic, or the line in a `by` block where the next one should go.";
    if (const auto proof = proof_near(file, params.at)) next = *proof + " " + next;
    co_return fail(ErrorKind::InvalidArgument,
                   "There is no proof at this position, so no tactic can be tried there.", next);
  }
  bool truncated = cap(attempt.before.goals, kMaxGoals);
  truncated = cap(attempt.after.goals, kMaxGoals) || truncated;
  truncated = cap(attempt.diagnostics, kMaxMessages) || truncated;
  ValidateStepResult result;
  result.valid = !attempt.timed_out && !attempt.rejected && attempt.verdict.proof_status != GoalStatus::Error;
  result.verdict = std::move(attempt.verdict);
  result.goals_before = attempt.before.list();
  result.goals_after = attempt.after.list();
  add_by_severity(result, std::move(attempt.diagnostics));
  if (truncated) result.truncated = true;
  result.hint = moved_hint(attempt);
  result.file = status_of(file, attempt.timed_out ? Completeness::TimedOut : Completeness::Complete);
  co_return result;
}

}  // namespace

mcp::Tool lean_validate_step(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_validate_step",
       .title = "Validate a tactic",
       .group = "proof",
       .description = "Tries one tactic at a position without changing the file: is it accepted, what "
                      "is left, is the proof complete? Several: lean_multi_attempt.",
       .caller_code = true},
      validate_step);
}

}  // namespace leanbridge::tools
