// lean_term_goal: the expected type of the term at a place.

#include "tools/common/open_file.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

Answer answer_term_goal(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  const auto at = co_await open_place(environment, call, arguments, ColumnDefault::LineEnd);
  if (!at) co_return tl::unexpected(at.error());
  const OpenFile& file = at->file;

  json result = {{"line_context", line_context(file, at->offset)}, {"expected_type", nullptr}};
  const auto goal = co_await document::request_at(file.table, file.share(), "$/lean/plainTermGoal",
                                                  at->offset, at->version, {}, call->scope);
  if (!goal && goal.error().kind == ErrorKind::Timeout) co_return finish(std::move(result), file, true, true);
  if (!goal) co_return tl::unexpected(goal.error());
  if (goal->value.is_object()) result["expected_type"] = goal->value.value("goal", json());
  co_return finish(std::move(result), file, false, false);
}

}  // namespace

mcp::Tool lean_term_goal(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_term_goal";
  tool.title = "Expected type";
  tool.group = "proof";
  tool.description =
      "The type that Lean expects of the term at a place, with its context; without column, at the end of "
      "the line. null where there is no term.";
  tool.arguments = {file_argument(), line_argument(), column_argument()};
  answers(tool, {{"line_context", schema::string()}, {"expected_type", schema::nullable(schema::string())}},
          {"line_context", "expected_type"});
  tool.handler = bind_handler(environment, answer_term_goal);
  return tool;
}

}  // namespace leanbridge::tools
