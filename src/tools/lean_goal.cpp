// lean_goal: the goals at a place, or before and after a line.

#include "goals.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

Answer answer(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  const auto at = co_await open_place(environment, call, arguments, Without::FirstNonBlank);
  if (!at) co_return tl::unexpected(at.error());
  const OpenFile& file = at->file;
  const auto column = arguments.optional_integer("column");
  const auto line_end = offset_of(file, arguments.integer("line"), {}, Without::LineEnd);
  const GoalFormat format = goal_format(arguments);

  json result = {{"line_context", line_context(file, at->offset)}};
  const auto still_elaborating = [&] {
    result["status"] = kStillElaborating;
    return finish(std::move(result), file, true, true);
  };
  const auto here = co_await goals_at(file, at->offset, format, call->scope);
  if (!here && here.error().kind == ErrorKind::Timeout) co_return still_elaborating();
  if (!here) co_return tl::unexpected(here.error());
  if (column) {
    result["goals"] = goals_json(*here);
    result["status"] = goal_status(*here);
    co_return finish(std::move(result), file, false, false);
  }
  result["goals_before"] = goals_json(*here);
  // Had the text changed meanwhile, the end of the line has moved with it.
  const std::size_t end = file.document().state.carry(*line_end, at->version).value_or(*line_end);
  const auto after = co_await goals_at(file, end, format, call->scope);
  if (!after && after.error().kind == ErrorKind::Timeout) co_return still_elaborating();
  if (!after) co_return tl::unexpected(after.error());
  result["goals_after"] = goals_json(*after);
  result["status"] = after->in_proof ? goal_status(*after) : goal_status(*here);
  co_return finish(std::move(result), file, false, false);
}

}  // namespace

mcp::Tool lean_goal(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_goal";
  tool.title = "Proof goals";
  tool.group = "proof";
  tool.description =
      "Hypotheses and goals at a place of a proof; without column, before and after the line. Answers as "
      "soon as that place is elaborated: use it before and after every edit.";
  tool.arguments = {file_argument(), line_argument(), column_argument(), format_argument()};
  answers(tool,
          {{"line_context", schema::string()},
           {"goals", goals_schema()},
           {"goals_before", goals_schema()},
           {"goals_after", goals_schema()},
           {"status", schema::string()}},
          {"line_context", "status"});
  tool.handler = handled_by(environment, answer);
  return tool;
}

}  // namespace leanbridge::tools
