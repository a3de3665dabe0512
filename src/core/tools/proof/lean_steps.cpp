// lean_step_forward and lean_step_backward: move between the places where tactics begin.

#include "core/ide/proof_walk.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

namespace {

using Direction = ProofWalk::Direction;

struct StepParams {
  std::string file_path;
  int count = 1;
  std::optional<int> line, column;  ///< absent: where the last step in the file ended

  static wire::Fields fields() {
    return {wire::field<&StepParams::file_path>(),
            wire::field<&StepParams::count>().with_default().at_least(1),
            wire::field<&StepParams::line>().at_least(1), wire::field<&StepParams::column>().at_least(1)};
  }
};

template <Direction kDirection>
struct StepResult {
  int line = 1;
  int column = 1;
  std::string step_text;  ///< the text passed; at a failure also the tactic that failed
  GoalList goals, goals_before;
  PlaceStatus place;
  std::optional<std::string> hint;  ///< where a proof begins, if there is none at the position
  FileStatus file;
  bool at_last = false;

  static wire::Fields fields() {
    return {
        wire::flatten<&StepResult::place>(),
        wire::field<&StepResult::line>(),
        wire::field<&StepResult::column>(),
        wire::field<&StepResult::step_text>(),
        wire::field<&StepResult::goals_before>(),
        wire::field<&StepResult::goals>(),
        wire::field<&StepResult::hint>(),
        wire::flatten<&StepResult::file>(),
        wire::named_field<&StepResult::at_last>(kDirection == Direction::Forward ? "at_end" : "at_start")};
  }
};

/// The given position, else the file's cursor, else the end of the file where this direction starts.
Result<std::size_t> start_of(const OpenFile& file, const StepParams& params, Direction direction) {
  if (params.line) {
    TRY(const auto given, offset_of(file, *params.line, params.column, ColumnDefault::FirstNonBlank));
    return direction == Direction::Backward ? given : behind_comment(file.text().str(), given);
  }
  if (params.column)
    return fail(ErrorKind::InvalidArgument, "`column` was given without `line`.", "Pass both or neither.");
  if (const auto cursor = file.document().cursor_offset()) return *cursor;
  return direction == Direction::Forward ? 0 : file.text().size();
}

template <Direction kDirection>
asio::awaitable<Result<StepResult<kDirection>>> step(Environment& environment,
                                                     std::shared_ptr<mcp::Call> call, StepParams params) {
  CO_TRY(const auto file, co_await open_file(environment, call, params.file_path));
  CO_TRY(const auto start, start_of(file, params, kDirection));
  ProofWalk walk(environment, file, start, kDirection, call->scope);
  WalkReport report;
  if (auto taken = co_await walk.take_steps(params.count, report);
      !taken && taken.error().kind != ErrorKind::Timeout)
    co_return tl::unexpected(std::move(taken).error());
  file.document().set_cursor(walk.at());
  const text::Position position = file.text().position_at(walk.at());
  std::optional<std::string> hint;
  if (report.place.status == GoalStatus::NoGoalAtPosition) hint = where_proof_begins(file.state(), walk.at());
  co_return StepResult<kDirection>{position.line,
                                   position.column,
                                   walk.passed(),
                                   std::move(report.goals),
                                   std::move(report.goals_before),
                                   std::move(report.place),
                                   std::move(hint),
                                   status_of(file, report.completeness),
                                   report.at_last};
}

constexpr mcp::Annotations kMovesCursor = {.idempotent = false};
}  // namespace

mcp::Tool lean_step_forward(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_step_forward",
       .title = "Step forward in a proof",
       .group = "proof",
       .description = "Moves to the next tactic and shows the goals around the one passed; stops at the "
                      "first that fails and at "
                      "the end of the proof. Starts at the position, else where the last step ended.",
       .annotations = kMovesCursor},
      step<Direction::Forward>);
}

mcp::Tool lean_step_backward(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_step_backward",
       .title = "Step backward in a proof",
       .group = "proof",
       .description = "Moves to the previous place where a tactic begins. The opposite: lean_step_forward.",
       .annotations = kMovesCursor,
       .listed = false},
      step<Direction::Backward>);
}

}  // namespace leanbridge::tools
