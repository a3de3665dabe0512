// The tools for the widgets that Lean shows.

#include "tools/common/open_file.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

Answer answer_get_widgets(Environment& environment, std::shared_ptr<mcp::Call> call,
                          mcp::Arguments arguments) {
  const auto at = co_await open_place(environment, call, arguments, ColumnDefault::LineEnd);
  if (!at) co_return tl::unexpected(at.error());
  const OpenFile& file = at->file;
  // This method takes a bare position.
  json position = lean::to_json(file.text().lsp_position_at(at->offset));
  const auto found =
      co_await document::rpc_request_at(file.table, file.share(), "Lean.Widget.getWidgets", at->offset,
                                        at->version, call->scope, std::move(position));
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
  tool.handler = bind_handler(environment, answer_get_widgets);
  return tool;
}

// --- lean_get_widget_source: the JavaScript of a widget.

namespace {

Answer answer_get_widget_source(Environment& environment, std::shared_ptr<mcp::Call> call,
                                mcp::Arguments arguments) {
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  // Asked at the end, where the widgets that the file itself declares are known, too.
  const std::size_t end = file->text().size();
  const document::Version version = file->document().state.version();
  const std::string hash = arguments.string("javascript_hash");
  json params = {{"hash", hash}, {"pos", lean::to_json(file->text().lsp_position_at(end))}};
  auto found = co_await document::rpc_request_at(file->table, file->share(), "Lean.Widget.getWidgetSource",
                                                 end, version, call->scope, std::move(params));
  if (!found && found.error().message.find("No widget module") != std::string::npos)
    co_return fail(ErrorKind::InvalidArgument, "No widget has the javascript_hash " + hash + ".",
                   "Take it from an answer of lean_get_widgets.");
  if (!found) co_return tl::unexpected(found.error());
  json result = {{"source", std::move(found->value)}};
  co_return finish(std::move(result), *file, false, false);
}

}  // namespace

mcp::Tool lean_get_widget_source(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_get_widget_source";
  tool.title = "Source of a widget";
  tool.group = "query";
  tool.description = "The JavaScript of a widget, by the hash that lean_get_widgets tells.";
  tool.arguments = {file_argument(),
                    Argument::required_("javascript_hash", ArgumentType::String, "From lean_get_widgets")};
  answers(tool, {{"source", schema::object({})}}, {"source"});
  tool.handler = bind_handler(environment, answer_get_widget_source);
  return tool;
}

}  // namespace leanbridge::tools
