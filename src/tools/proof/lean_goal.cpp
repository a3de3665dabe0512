// lean_goal: the goals at a position, or before and after a line.

#include "tools/common/goal_status.hpp"

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
  PlaceStatus place;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&GoalResult::line_context>("line_context"),
            wire::field<&GoalResult::goals>("goals"),
            wire::field<&GoalResult::goals_before>("goals_before"),
            wire::field<&GoalResult::goals_after>("goals_after"),
            wire::flatten<&GoalResult::place>(),
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
    result.goals = result.goals_before = result.goals_after = std::nullopt;
    const auto late = [&] {
      result.place = {};
      completeness = Completeness::TimedOut;
      return AnsweredVersion();
    };
    const auto here = co_await goals_at(file.handle(), file.resolve(asked), format, call->scope);
    if (!here && here.error().kind == ErrorKind::Timeout) co_return late();
    if (!here) co_return tl::unexpected(here.error());
    Result<Goals> last = *here;
    if (params.at.column) {
      result.goals = here->list();
    } else {
      last = co_await goals_at(file.handle(), file.resolve(asked_end), format, call->scope);
      if (last || here->version == file.state().version()) result.goals_before = here->list();
      if (!last && last.error().kind == ErrorKind::Timeout) co_return late();
      if (!last) co_return tl::unexpected(last.error());
      if (last->version != here->version) co_return here->version;
      result.goals_after = last->list();
    }
    const Goals& decides = last->in_proof ? *last : *here;
    auto judged = co_await judge_place(environment, file, here->offset, last->offset, decides, call->scope);
    if (!judged) co_return tl::unexpected(judged.error());
    result.place = std::move(judged->status);
    completeness = judged->completeness;
    co_return here->version;
  };
  CO_CHECK(co_await repeat_while_edited(file.handle(), pass));
  result.line_context = line_context(file, file.resolve(asked));
  result.file = status_of(file, completeness);
  co_return result;
}

}  // namespace

mcp::Tool lean_goal(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_goal",
                    .title = "Proof goals",
                    .group = "proof",
                    .description = "Hypotheses and goals at a position in a proof; without column, before "
                                   "and after the line. Waits only until that is elaborated: use it before "
                                   "and after every edit. Only the status proof_complete means proved."},
                   goal);
}

}  // namespace leanbridge::tools
