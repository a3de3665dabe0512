// The tools that try tactics before they are written.

#include "core/ide/trials.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>

namespace leanbridge::tools {

// --- lean_multi_attempt: several tactics tried independently at a position.

namespace {

// A tactic that takes longer usually does not terminate, and must not delay the answer about the others until
// the server's own timeout. A caller that passes timeout_s has chosen how long to wait.
constexpr auto kPerAttempt = std::chrono::seconds(15);
constexpr std::size_t kMaxSnippets = 64;

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

struct MultiAttemptResult {
  AttemptWriting writing;  ///< empty, unless it was to be written
  std::vector<Attempt> items;
  std::optional<std::string> goal;  ///< the goal that messages refer to
  std::optional<std::string> hint;  ///< where the proof begins, if there is none at the position
  FileStatus file;

  static wire::Fields fields() {
    return {wire::flatten<&MultiAttemptResult::writing>(), wire::field<&MultiAttemptResult::items>(),
            wire::field<&MultiAttemptResult::goal>(), wire::field<&MultiAttemptResult::hint>(),
            wire::flatten<&MultiAttemptResult::file>()};
  }
};

// Where a proof begins near a position in the file as it is now.
std::optional<std::string> proof_near(const OpenFile& file, const FilePosition& at) {
  const auto offset = offset_of(file, at.line, at.column, ColumnDefault::FirstNonBlank);
  return offset ? where_proof_begins(file.state(), *offset) : std::nullopt;
}

asio::awaitable<Result<MultiAttemptResult>> multi_attempt(Environment& environment,
                                                          std::shared_ptr<mcp::Call> call,
                                                          MultiAttemptParams params) {
  CO_TRY(const auto file, co_await open_file(environment, call, params.at.file_path));
  const std::size_t count = params.snippets.size();
  if (count == 0 || count > kMaxSnippets)
    co_return fail(ErrorKind::InvalidArgument, "snippets has " + std::to_string(count) + " entries.",
                   "Pass 1 to " + std::to_string(kMaxSnippets) + " tactics.");
  Trials trials(environment, call, file, params.at,
                {params.parallel ? count : 1, call->has_timeout ? io::kNoDeadline : kPerAttempt});
  MultiAttemptResult result;
  CO_TRY(result.items, co_await trials.run(std::move(params.snippets)));
  const bool is_brief = call->detail == wire::Detail::Brief;
  if (params.write) {
    CO_TRY(result.writing,
           co_await write_complete(environment, call, params.at.file_path, !is_brief, result.items));
  }
  if (is_brief) result.goal = shorten(result.items);
  const bool is_outside = std::ranges::all_of(result.items, &Attempt::outside);
  result.hint = is_outside ? proof_near(file, params.at) : trials.moved();
  result.file = status_of(file, late_if(std::ranges::any_of(result.items, &Attempt::timed_out)));
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

asio::awaitable<Result<ValidateStepResult>> validate_step(Environment& environment,
                                                          std::shared_ptr<mcp::Call> call,
                                                          ValidateStepParams params) {
  CO_TRY(const auto file, co_await open_file(environment, call, params.at.file_path));
  Trials trials(environment, call, file, params.at, {});
  CO_TRY(auto attempts, co_await trials.run({std::move(params.tactic)}));
  Attempt& attempt = attempts.front();
  if (!attempt.timed_out && (attempt.outside || !attempt.before.in_proof)) {
    std::string next = "Pass the line of a tactic, or the line in a `by` block where the next one should go.";
    if (const auto proof = proof_near(file, params.at)) next = *proof + " " + next;
    co_return fail(ErrorKind::InvalidArgument,
                   "There is no proof at this position, so no tactic can be tried there.", next);
  }
  ValidateStepResult result;
  result.truncated = attempt.truncated;
  if (cap(attempt.before.goals, kMaxGoals)) result.truncated = true;
  result.valid = !attempt.timed_out && !attempt.rejected && !attempt.has_failed();
  result.verdict = std::move(attempt.verdict);
  result.goals_before = attempt.before.list();
  if (result.verdict.remaining_goals) result.goals_after = std::move(attempt.goals);
  for (DiagnosticItem& each : attempt.diagnostics)
    if (each.severity != lean::Severity::Hint)
      (each.severity == lean::Severity::Error     ? result.errors
       : each.severity == lean::Severity::Warning ? result.warnings
                                                  : result.infos)
          .push_back(std::move(each));
  result.hint = trials.moved();
  result.file = status_of(file, late_if(attempt.timed_out));
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
