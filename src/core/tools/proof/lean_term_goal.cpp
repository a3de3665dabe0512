// lean_term_goal: the expected type of the term at a position.

#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/ide/open_file.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

namespace {

struct TermGoalResult {
  std::string line_context;
  wire::Nullable<std::string> expected_type;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&TermGoalResult::line_context>(), wire::field<&TermGoalResult::expected_type>(),
            wire::flatten<&TermGoalResult::file>()};
  }
};

asio::awaitable<Result<TermGoalResult>> term_goal(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                  FilePosition position) {
  CO_TRY(const auto at, co_await open_place(environment, call, position, ColumnDefault::LineEnd));
  const OpenFile& file = at.file;

  TermGoalResult result;
  result.line_context = line_context(file, at.anchor.offset);
  CO_TRY(const auto goal, in_time(co_await file.request_at("$/lean/plainTermGoal", at.anchor, call->scope)));
  if (goal && goal->value.is_object() && goal->value.contains("goal"))
    result.expected_type = text_member(goal->value, "goal");
  result.file = status_of(file, late_if(!goal));
  co_return result;
}

}  // namespace

mcp::Tool lean_term_goal(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_term_goal",
                    .title = "Expected type",
                    .group = "proof",
                    .description = "The type that Lean expects of the term at a position, with its context."},
                   term_goal);
}

}  // namespace leanbridge::tools
