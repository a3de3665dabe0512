// lean_goal: the goals at a position, or before and after a line.

#include "tools/common/goals.hpp"

namespace leanbridge::tools {

namespace {

struct GoalParams {
  FilePosition at;
  FormatParam format;

  static wire::Fields fields() {
    return {wire::flatten<&GoalParams::at>(), wire::flatten<&GoalParams::format>()};
  }
};

struct GoalResult {
  std::string line_context;
  std::optional<GoalList> goals;                      ///< with a column
  std::optional<GoalList> goals_before, goals_after;  ///< without one
  GoalStatus status = GoalStatus::StillElaborating;
  std::optional<std::string> hint;  ///< where the proof begins, if there is none at the position
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&GoalResult::line_context>("line_context"),
            wire::field<&GoalResult::goals>("goals"),
            wire::field<&GoalResult::goals_before>("goals_before"),
            wire::field<&GoalResult::goals_after>("goals_after"),
            wire::field<&GoalResult::status>("status"),
            wire::field<&GoalResult::hint>("hint"),
            wire::flatten<&GoalResult::file>()};
  }
};

asio::awaitable<Result<GoalResult>> goal(Environment& environment, std::shared_ptr<mcp::Call> call,
                                         GoalParams params) {
  const auto at = co_await open_place(environment, call, params.at, ColumnDefault::FirstNonBlank);
  if (!at) co_return tl::unexpected(at.error());
  const OpenFile& file = at->file;
  const auto line_end = offset_of(file, params.at.line, {}, ColumnDefault::LineEnd);
  const GoalFormat format = params.format.format;

  // Anchors move with the text if it changes meanwhile.
  const document::TextAnchor asked = at->anchor, asked_end = file.anchor(*line_end);
  GoalResult result;
  Completeness completeness = Completeness::Complete;
  const auto pass = [&]() -> asio::awaitable<Result<AnsweredVersion>> {
    const auto here = co_await goals_at(file.handle(), file.resolve(asked), format, call->scope);
    if (!here && here.error().kind == ErrorKind::Timeout) {
      completeness = Completeness::TimedOut;
      co_return std::nullopt;
    }
    if (!here) co_return tl::unexpected(here.error());
    if (params.at.column) {
      result.goals = here->list();
      result.status = here->status();
      co_return std::nullopt;
    }
    const auto after = co_await goals_at(file.handle(), file.resolve(asked_end), format, call->scope);
    if (!after && after.error().kind == ErrorKind::Timeout) {
      if (here->version == file.state().version()) result.goals_before = here->list();
      completeness = Completeness::TimedOut;
      co_return std::nullopt;
    }
    if (!after) co_return tl::unexpected(after.error());
    if (after->version != here->version) co_return here->version;
    result.goals_before = here->list();
    result.goals_after = after->list();
    result.status = after->in_proof ? after->status() : here->status();
    co_return std::nullopt;
  };
  CO_CHECK(co_await repeat_while_edited(file.handle(), pass));
  result.line_context = line_context(file, file.resolve(asked));
  if (result.status == GoalStatus::NoGoalAtPosition)
    result.hint = where_proof_begins(file.text(), file.resolve(asked));
  result.file = status_of(file, completeness);
  co_return result;
}

}  // namespace

mcp::Tool lean_goal(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_goal",
                    .title = "Proof goals",
                    .group = "proof",
                    .description = "Proof state at a position: hypotheses and goals; without column, before "
                                   "and after the line's tactic. Waits only for that line, so use it before "
                                   "and after every edit. For the messages so far as well, use lean_check.",
                    .shows_timeout = true},
                   goal);
}

}  // namespace leanbridge::tools
