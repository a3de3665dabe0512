// lean_goal: the goals at a position, or before and after a line.

#include "leanbridge/text/goal_difference.hpp"
#include "leanbridge/tools/pages.hpp"

#include "tools/common/goal_status.hpp"

namespace leanbridge::tools {

namespace {

struct GoalParams {
  FilePosition at;
  FormatParam format;
  std::optional<int> since;  ///< a line

  static wire::Fields fields() {
    return {wire::flatten<&GoalParams::at>(), wire::flatten<&GoalParams::format>(),
            wire::field<&GoalParams::since>("since", "Line whose goals are known: only what differs")
                .at_least(1)};
  }
};

struct GoalResult {
  std::string line_context;
  std::optional<GoalList> goals;                      ///< with a column
  std::optional<GoalList> goals_before, goals_after;  ///< without one
  PlaceStatus place;
  std::optional<std::string> hint;  ///< where the proof begins, if there is none at the position
  FileStatus file;

  static wire::Fields fields() {
    return {wire::flatten<&GoalResult::place>(),
            wire::field<&GoalResult::line_context>("line_context"),
            wire::field<&GoalResult::goals>("goals").omit_value(nullptr),
            wire::field<&GoalResult::goals_before>("goals_before").omit_value(nullptr),
            wire::field<&GoalResult::goals_after>("goals_after").omit_value(nullptr),
            wire::field<&GoalResult::hint>("hint"),
            wire::flatten<&GoalResult::file>()};
  }
};

// The goals as a difference to those that are known.
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

asio::awaitable<Result<GoalResult>> goal(Environment& environment, std::shared_ptr<mcp::Call> call,
                                         GoalParams params) {
  const auto at = co_await open_place(environment, call, params.at, ColumnDefault::FirstNonBlank);
  if (!at) co_return tl::unexpected(at.error());
  const OpenFile& file = at->file;
  const auto line_end = offset_of(file, params.at.line, {}, ColumnDefault::LineEnd);
  const GoalFormat format = params.format.format;
  std::optional<document::TextAnchor> known;
  if (params.since && format != GoalFormat::Text)
    co_return fail(ErrorKind::InvalidArgument, "`since` works on goals as text.", "Leave out `format`.");
  if (params.since) {
    CO_TRY(const std::size_t offset, offset_of(file, *params.since, {}, ColumnDefault::FirstNonBlank));
    known = file.anchor(offset);
  }

  // Anchors move with their lines if the text changes meanwhile.
  const document::TextAnchor asked = at->anchor, asked_end = file.anchor(*line_end);
  GoalResult result;
  Completeness completeness = Completeness::Complete;
  std::vector<Goal> known_goals;
  const auto pass = [&]() -> asio::awaitable<Result<AnsweredVersion>> {
    for (auto* goals : {&result.goals, &result.goals_before, &result.goals_after}) goals->reset();
    AnsweredVersion known_in;  // the known goals and the others must be about one text
    const auto late = [&] {
      result.place = {};
      completeness = Completeness::TimedOut;
      return AnsweredVersion();
    };
    if (known) {
      auto before = co_await goals_at(file.handle(), *known, format, call->scope);
      if (!before && before.error().kind == ErrorKind::Timeout) co_return late();
      if (!before) co_return tl::unexpected(before.error());
      known_goals = std::move(before->goals);
      known_in = before->version;
    }
    const auto here = co_await goals_at(file.handle(), asked, format, call->scope);
    if (!here && here.error().kind == ErrorKind::Timeout) co_return late();
    if (!here) co_return tl::unexpected(here.error());
    if (known_in && *known_in != here->version) co_return known_in;
    Result<Goals> last = *here;
    if (params.at.column) {
      result.goals = here->list();
    } else {
      last = co_await goals_at_line_end(file.handle(), asked_end, format, call->scope);
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
  if (params.since)
    for (std::optional<GoalList>* each : {&result.goals, &result.goals_before, &result.goals_after})
      *each = differing(std::move(*each), known_goals, *params.since);
  result.line_context = line_context(file, file.resolve(asked));
  if (result.place.status == GoalStatus::NoGoalAtPosition)
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
                                   "and after the line's tactic. Waits only for that line. With the messages "
                                   "so far: lean_check.",
                    .shows_timeout = true,
                    .app = kGoalPageUri},
                   goal);
}

}  // namespace leanbridge::tools
