// The tools that try tactics before they are written.

#include "core/base/try.hpp"
#include "tactic_trials.hpp"

namespace leanbridge::tools {

// --- lean_multi_attempt: several tactics tried independently at a position.

namespace {

// A tactic that takes longer usually does not terminate, and must not delay the answer about the others until
// the server's own timeout. A caller that passes timeout_s has chosen how long to wait.
constexpr auto kPerAttempt = std::chrono::seconds(15);
constexpr std::size_t kMaxSnippets = 64;
constexpr std::string_view kGoalMark = "⟨goal⟩";

struct MultiAttemptParams {
  FilePosition at;
  std::vector<std::string> snippets;
  bool parallel = true;

  static wire::Fields fields() {
    return {wire::flatten<&MultiAttemptParams::at>(),
            wire::field<&MultiAttemptParams::snippets>("Tactics to try"),
            wire::field<&MultiAttemptParams::parallel>().with_default()};
  }
};

struct AttemptItem {
  std::string snippet;
  std::vector<Goal> goals;
  std::vector<DiagnosticItem> diagnostics;
  bool timed_out = false;
  AttemptVerdict verdict;
  std::optional<bool> truncated;

  static wire::Fields fields() {
    return {wire::field<&AttemptItem::snippet>(),   wire::flatten<&AttemptItem::verdict>(),
            wire::field<&AttemptItem::goals>(),     wire::field<&AttemptItem::diagnostics>(),
            wire::field<&AttemptItem::timed_out>(), wire::field<&AttemptItem::truncated>()};
  }
};

struct MultiAttemptResult {
  std::vector<AttemptItem> items;
  std::optional<std::string> goal;  ///< the goal that kGoalMark replaces in messages
  std::optional<std::string> hint;  ///< where the proof begins, if there is none at the position
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&MultiAttemptResult::items>(), wire::field<&MultiAttemptResult::goal>(),
            wire::field<&MultiAttemptResult::hint>(), wire::flatten<&MultiAttemptResult::file>()};
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
  if (!goal.empty() && call->detail == wire::Detail::Brief) say_goal_once(result, goal);
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
                      "messages of each, and the lines that lean_write_proof would replace.",
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
