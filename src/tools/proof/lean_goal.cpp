// lean_goal: the goals at a place, or before and after a line.

#include "tools/common/goals.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

Answer answer_goal(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  const auto at = co_await open_place(environment, call, arguments, ColumnDefault::FirstNonBlank);
  if (!at) co_return tl::unexpected(at.error());
  const OpenFile& file = at->file;
  const auto column = arguments.optional_integer("column");
  const auto line_end = offset_of(file, arguments.integer("line"), {}, ColumnDefault::LineEnd);
  const GoalFormat format = goal_format(arguments);

  // Had the text changed meanwhile, a place has moved with it.
  const document::DocumentState& state = file.document().state;
  const document::TextAnchor asked = state.anchor(at->offset), asked_end = state.anchor(*line_end);
  const auto now = [&](const document::TextAnchor& place) {
    return state.resolve(place).value_or(state.text().size());
  };
  const auto finished = [&](json result, bool late) {
    result["line_context"] = line_context(file, now(asked));
    if (late) result["status"] = kStillElaborating;
    return finish(std::move(result), file, late, late);
  };
  for (;;) {
    const auto here = co_await goals_at(file, now(asked), format, call->scope);
    if (!here && here.error().kind == ErrorKind::Timeout) co_return finished(json::object(), true);
    if (!here) co_return tl::unexpected(here.error());
    if (column) {
      json result = {{"goals", goals_json(*here)}, {"status", goal_status(*here)}};
      co_return finished(std::move(result), false);
    }
    const auto after = co_await goals_at(file, now(asked_end), format, call->scope);
    if (!after && after.error().kind == ErrorKind::Timeout) {
      json result = json::object();
      if (here->version == state.version()) result["goals_before"] = goals_json(*here);
      co_return finished(std::move(result), true);
    }
    if (!after) co_return tl::unexpected(after.error());
    if (after->version != here->version) continue;  // an edit came between the two: both of one text
    json result = {{"goals_before", goals_json(*here)},
                   {"goals_after", goals_json(*after)},
                   {"status", after->in_proof ? goal_status(*after) : goal_status(*here)}};
    co_return finished(std::move(result), false);
  }
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
  tool.handler = bind_handler(environment, answer_goal);
  return tool;
}

}  // namespace leanbridge::tools
