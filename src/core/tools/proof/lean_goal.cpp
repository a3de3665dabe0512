// lean_goal: the goals at a position, or before and after a line.

#include "core/base/try.hpp"
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

/// The places asked about. Anchors move with their lines if the text changes meanwhile.
struct Question {
  document::TextAnchor at;
  std::optional<document::TextAnchor> line_end;  ///< without a column: the end of the line, where its tactic
                                                 ///< has run
  std::optional<document::TextAnchor> known;     ///< the place whose goals the client has
  GoalFormat format = GoalFormat::Text;
};

/// Lean's answers so far, all about one text as long as `version` is the current one.
struct Reading {
  std::optional<Goals> known, here, line_end;
  JudgedPlace judged;
  document::Version version = 0;

  bool is_of(const Goals& goals) const { return goals.version == version; }
};

// Fills in `reading` as far as Lean answers in time. Errors: Timeout, and those of goals_at() and
// judge_place().
asio::awaitable<Result<void>> read_goals(Environment& environment, const OpenFile& file,
                                         const Question& question, Reading& reading, io::CancelScope scope) {
  if (question.known) {
    CO_TRY(reading.known, co_await goals_at(file.handle(), *question.known, question.format, scope));
    reading.version = reading.known->version;
  }
  CO_TRY(reading.here, co_await goals_at(file.handle(), question.at, question.format, scope));
  if (!reading.known) reading.version = reading.here->version;
  if (question.line_end) {
    CO_TRY(reading.line_end,
           co_await goals_at_line_end(file.handle(), *question.line_end, question.format, scope));
  }
  const Goals& here = *reading.here;
  const Goals& last = reading.line_end ? *reading.line_end : here;
  if (!reading.is_of(here) || !reading.is_of(last)) co_return Result<void>();  // it will be read again
  CO_TRY(reading.judged, co_await judge_place(environment, file, here.offset, last.offset,
                                              last.in_proof ? last : here, scope));
  co_return Result<void>();
}

// Reads until no edit came in between. If time runs out, keeps the answers about the current text.
asio::awaitable<Result<Reading>> reading_of(Environment& environment, const OpenFile& file,
                                            const Question& question, io::CancelScope scope) {
  for (;;) {
    Reading reading;
    const auto read = co_await read_goals(environment, file, question, reading, scope);
    const bool is_current = reading.version == file.state().version();
    if (!read && read.error().kind == ErrorKind::Timeout) {
      if (!is_current) reading = {};
      reading.judged = {.completeness = Completeness::TimedOut};
      co_return reading;
    }
    if (!read) co_return tl::unexpected(read.error());
    if (is_current) co_return reading;
  }
}

// With `since`, the goals as a difference to the known ones.
std::optional<GoalList> shown(const std::optional<Goals>& goals, const Reading& reading,
                              const GoalParams& params) {
  if (!goals) return std::nullopt;
  return reading.known ? differing(goals->list(), reading.known->goals, *params.since) : goals->list();
}

asio::awaitable<Result<GoalResult>> goal(Environment& environment, std::shared_ptr<mcp::Call> call,
                                         GoalParams params) {
  CO_TRY(const auto at, co_await open_place(environment, call, params.at, ColumnDefault::FirstNonBlank));
  const OpenFile& file = at.file;
  Question question{.at = at.anchor, .format = params.format.format};
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

  CO_TRY(const Reading reading, co_await reading_of(environment, file, question, call->scope));
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
