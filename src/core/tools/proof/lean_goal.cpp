// lean_goal: the goals at a position, or before and after a line.

#include "core/document/scratch_pool.hpp"
#include "core/ide/goal_status.hpp"
#include "core/text/goal_difference.hpp"
#include "core/tools/common/typed_tool.hpp"
#include "core/tools/pages.hpp"

namespace leanbridge::tools {

namespace {

struct GoalParams {
  FilePosition at;
  FormatParam format;
  std::optional<int> since;  ///< the line whose goals the client has

  static wire::Fields fields() {
    return {wire::flatten<&GoalParams::at>(), wire::flatten<&GoalParams::format>(),
            wire::field<&GoalParams::since>("Line whose goals are known: only what differs").at_least(1)};
  }
};

struct GoalResult {
  std::string line_context;
  std::optional<GoalList> goals;                      ///< if the call names a column
  std::optional<GoalList> goals_before, goals_after;  ///< if it does not
  PlaceStatus place;
  std::optional<std::string> hint;  ///< where the proof begins, if there is none at the position
  FileStatus file;

  static wire::Fields fields() {
    return {wire::flatten<&GoalResult::place>(),
            wire::field<&GoalResult::line_context>(),
            wire::field<&GoalResult::goals>().omit_value(nullptr),
            wire::field<&GoalResult::goals_before>().omit_value(nullptr),
            wire::field<&GoalResult::goals_after>().omit_value(nullptr),
            wire::field<&GoalResult::hint>(),
            wire::flatten<&GoalResult::file>()};
  }
};

// The goals as a difference to the known ones.
std::optional<GoalList> differing(std::optional<GoalList> goals, const std::vector<Goal>& known, int line) {
  if (!goals || !*goals) return goals;
  std::vector<std::string> texts;
  for (const Goal& goal : known)
    if (const auto* whole = std::get_if<std::string>(&goal)) texts.push_back(*whole);
  for (Goal& goal : **goals)
    if (auto* whole = std::get_if<std::string>(&goal))
      *whole = text::goal_difference(*whole, texts, "before line " + std::to_string(line));
  return goals;
}

// With `since`, the goals as a difference to the known ones.
std::optional<GoalList> shown(const std::optional<Goals>& goals, const GoalReading& reading,
                              const GoalParams& params) {
  if (!goals) return std::nullopt;
  return reading.known ? differing(goals->list(), reading.known->goals, *params.since) : goals->list();
}

asio::awaitable<Result<GoalResult>> goal(Environment& environment, std::shared_ptr<mcp::Call> call,
                                         GoalParams params) {
  CO_TRY(const auto at, co_await open_place(environment, call, params.at, ColumnDefault::FirstNonBlank));
  const OpenFile& file = at.file;
  GoalQuestion question{.at = at.anchor, .format = params.format.format};
  if (!params.at.column) {
    CO_TRY(const std::size_t end, offset_of(file, params.at.line, {}, ColumnDefault::LineEnd));
    question.line_end = file.anchor(end);
  }
  if (params.since && question.format != GoalFormat::Text)
    co_return fail(ErrorKind::InvalidArgument, "`since` works on goals as text.", "Leave out `format`.");
  if (params.since) {
    CO_TRY(const std::size_t offset, offset_of(file, *params.since, {}, ColumnDefault::FirstNonBlank));
    question.known = file.anchor(offset);
  }

  CO_TRY(const GoalReading reading, co_await read_goals(environment, file, question, call->scope));
  GoalResult result;
  (question.line_end ? result.goals_before : result.goals) = shown(reading.here, reading, params);
  result.goals_after = shown(reading.line_end, reading, params);
  if (reading.judged.inner_goals)
    (question.line_end ? result.goals_after : result.goals) = GoalList(std::vector<Goal>());
  result.place = reading.judged.status;
  result.line_context = line_context(file, file.resolve(question.at));
  if (result.place.status == GoalStatus::NoGoalAtPosition)
    result.hint = where_proof_begins(file.state(), file.resolve(question.at));
  result.file = status_of(file, reading.judged.completeness);
  // A client that asks for goals is likely to try tactics next.
  if (reading.here && !reading.here->goals.empty()) file.store()->scratch()->prepare(file.document());
  co_return result;
}

}  // namespace

mcp::Tool lean_goal(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_goal",
                    .title = "Proof goals",
                    .group = "proof",
                    .description = "Proof state at a position: hypotheses and goals; without column, before "
                                   "and after the line's tactic. Waits only for that line. With the messages "
                                   "so far: lean_check.",
                    .shows_timeout = true,
                    .app = kGoalPageUri},
                   goal);
}

}  // namespace leanbridge::tools
