// lean_check: whether a file is correct up to a position, and the goals left there.

#include "core/base/try.hpp"
#include "core/ide/compiler_fallback.hpp"
#include "core/ide/goal_status.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

namespace {

struct CheckParams {
  FilePosition at;
  FormatParam format;

  static wire::Fields fields() {
    return {wire::flatten<&CheckParams::at>(), wire::flatten<&CheckParams::format>()};
  }
};

struct CheckResult {
  std::string line_context;
  GoalList goals;
  PlaceStatus place;
  std::optional<std::string> hint;  ///< where the proof begins, if there is none at the position
  DiagnosticList messages;          ///< messages about the text before the position
  FileStatus file;

  static wire::Fields fields() {
    return {wire::flatten<&CheckResult::place>(),    wire::field<&CheckResult::line_context>(),
            wire::field<&CheckResult::goals>(),      wire::field<&CheckResult::hint>(),
            wire::flatten<&CheckResult::messages>(), wire::flatten<&CheckResult::file>()};
  }
};

DiagnosticList list_before(const Messages& all, std::size_t offset) {
  return list_of(all.shown().within(0, offset + 1), LinterNoise::Counted);
}

asio::awaitable<Result<CheckResult>> check(Environment& environment, std::shared_ptr<mcp::Call> call,
                                           CheckParams params) {
  CO_TRY(const auto at, co_await open_place(environment, call, params.at, ColumnDefault::LineEnd));
  const OpenFile& file = at.file;
  const document::DocumentState& state = file.document().state;
  // Edits may come while this waits, so look the position up each time.
  const auto offset_now = [&] { return file.resolve(at.anchor); };

  const auto ask = params.at.column ? goals_at : goals_at_line_end;
  std::optional<Goals> goals;  // nothing if Lean is late
  JudgedPlace judged;
  bool reported_all = false;
  const auto pass = [&]() -> asio::awaitable<Result<AnsweredVersion>> {
    CO_TRY(goals, in_time(co_await ask(file.handle(), at.anchor, params.format.format, call->scope)));
    CO_TRY(const auto reported, co_await file.wait_until_reported(offset_now(), call->scope));
    reported_all = reported == document::WaitOutcome::Complete;
    if (!goals) co_return std::nullopt;
    const std::size_t here = goals->offset;
    CO_TRY(judged, co_await judge_place(environment, file, here, here, *goals, call->scope));
    co_return goals->version;
  };
  CO_CHECK(co_await repeat_while_edited(file.handle(), pass));

  CheckResult result;
  result.line_context = line_context(file, offset_now());
  if (goals) {
    result.goals = judged.inner_goals ? GoalList(std::vector<Goal>()) : goals->list();
    result.place = std::move(judged.status);
    if (result.place.status == GoalStatus::NoGoalAtPosition)
      result.hint = where_proof_begins(state, offset_now());
  }
  file.document().set_cursor(offset_now());
  result.messages = list_before(Messages(state), offset_now());
  result.file = status_of(file, !goals || !reported_all ? Completeness::TimedOut : judged.completeness);
  co_return result;
}

// The compiler reports no goals, so their status is unknown.
asio::awaitable<Result<CheckResult>> check_compiled(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                    CheckParams params, Error why) {
  const FilePosition& at = params.at;
  CO_TRY(const auto compiled, co_await diagnose_with_compiler(environment, call, at.file_path, why));
  const text::Text& text = compiled.text;
  CO_CHECK(text.require_line(at.line, compiled.name));
  CO_TRY(const auto offset,
         text.offset_of({at.line, at.column.value_or(text.end_column(at.line))}, compiled.name));
  CheckResult result;
  result.line_context = text.line(text.line_at(offset));
  result.place.status = GoalStatus::Unknown;
  result.messages = list_before(Messages(text, compiled.diagnostics), offset);
  result.file = status_of(compiled);
  co_return result;
}

}  // namespace

mcp::Tool lean_check(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_check",
       .title = "Check up to a place",
       .group = "proof",
       .description = "Goals at a position and all messages from the top of the file to it, while what "
                      "follows is still broken.",
       .listed = false},
      check, check_compiled);
}

}  // namespace leanbridge::tools
