// lean_get_widgets: the widgets that Lean shows at a place.

#include "support.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

Answer answer_get_widgets(Environment& environment, std::shared_ptr<mcp::Call> call,
                          mcp::Arguments arguments) {
  const auto at = co_await open_place(environment, call, arguments, Without::LineEnd);
  if (!at) co_return tl::unexpected(at.error());
  const OpenFile& file = at->file;
  // This method takes a bare position.
  json position = lean::to_json(file.text().lsp_position_at(at->offset));
  const auto found = co_await document::rpc_ask_at(file.table, file.share(), "Lean.Widget.getWidgets",
                                                   at->offset, at->version, call->scope, std::move(position));
  const bool timed_out = !found && found.error().kind == ErrorKind::Timeout;
  if (!found && !timed_out) co_return tl::unexpected(found.error());
  if (found && found->version != at->version) co_return overtaken(file.document().name);
  json result = {{"widgets", json::array()}};
  if (found && found->value.is_object()) result["widgets"] = found->value.value("widgets", json::array());
  co_return finish(std::move(result), file, timed_out, timed_out);
}

}  // namespace

mcp::Tool lean_get_widgets(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_get_widgets";
  tool.title = "Widgets at a place";
  tool.group = "query";
  tool.description =
      "The widgets that Lean would show at a place (`#widget`, ProofWidgets), with their properties. Use "
      "lean_get_widget_source to fetch their code.";
  auto column = column_argument();
  column.required = true;
  tool.arguments = {file_argument(), line_argument(), column};
  answers(tool, {{"widgets", schema::list({})}}, {"widgets"});
  tool.handler = handled_by(environment, answer_get_widgets);
  return tool;
}

}  // namespace leanbridge::tools
