// The tools for Lean's widgets.

#include "core/ide/open_file.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

using nlohmann::json;

// --- lean_get_widgets: the widgets at a position.

namespace {

struct GetWidgetsResult {
  std::vector<json> widgets;  ///< as Lean sends them
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&GetWidgetsResult::widgets>(), wire::flatten<&GetWidgetsResult::file>()};
  }
};

asio::awaitable<Result<GetWidgetsResult>> get_widgets(Environment& environment,
                                                      std::shared_ptr<mcp::Call> call, ExactPosition params) {
  CO_TRY(const auto at, co_await open_place(environment, call, params.position(), ColumnDefault::LineEnd));
  const OpenFile& file = at.file;
  // This method's params are the position itself.
  json position = lean::to_json(file.text().lsp_position_at(at.anchor.offset));
  CO_TRY(const auto found, in_time(co_await file.rpc_request_at("Lean.Widget.getWidgets", at.anchor,
                                                                call->scope, std::move(position))));
  if (found && found->version != at.anchor.version) co_return changed_meanwhile(file.document().name);
  GetWidgetsResult result;
  if (found && found->value.is_object()) {
    const json widgets = found->value.value("widgets", json::array());
    if (widgets.is_array()) result.widgets.assign(widgets.begin(), widgets.end());
  }
  result.file = status_of(file, late_if(!found));
  co_return result;
}

}  // namespace

mcp::Tool lean_get_widgets(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_get_widgets",
                    .title = "Widgets at a position",
                    .group = "query",
                    .description = "Widgets at a position (#widget, ProofWidgets) with their properties."},
                   get_widgets);
}

// --- lean_get_widget_source: the JavaScript of a widget.

namespace {

struct WidgetSourceParams {
  FileParams file;
  std::string javascript_hash;

  static wire::Fields fields() {
    return {wire::flatten<&WidgetSourceParams::file>(), wire::field<&WidgetSourceParams::javascript_hash>()};
  }
};

struct WidgetSourceResult {
  std::map<std::string, json> source;  ///< Lean's WidgetSource: `sourcetext`
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&WidgetSourceResult::source>(), wire::flatten<&WidgetSourceResult::file>()};
  }
};

asio::awaitable<Result<WidgetSourceResult>> get_widget_source(Environment& environment,
                                                              std::shared_ptr<mcp::Call> call,
                                                              WidgetSourceParams params) {
  CO_TRY(const auto file, co_await open_file(environment, call, params.file.file_path));
  // Ask at the end of the file, where its own widgets are known as well.
  const std::size_t end = file.text().size();
  const std::string& hash = params.javascript_hash;
  json question = {{"hash", hash}, {"pos", lean::to_json(file.text().lsp_position_at(end))}};
  const auto found = co_await file.rpc_request_at("Lean.Widget.getWidgetSource", file.anchor(end),
                                                  call->scope, std::move(question));
  if (!found && found.error().message.find("No widget module") != std::string::npos)
    co_return fail(ErrorKind::InvalidArgument,
                   "Widget source not found for the javascript_hash " + hash + ".",
                   "Take it from an answer of lean_get_widgets.");
  if (!found) co_return tl::unexpected(found.error());
  call->text_budget = 0;  // a part of a program is of no use
  WidgetSourceResult result;
  if (found->value.is_object()) result.source = found->value.get<std::map<std::string, json>>();
  result.file = status_of(file);
  co_return result;
}

}  // namespace

mcp::Tool lean_get_widget_source(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_get_widget_source",
                    .title = "Source of a widget",
                    .group = "query",
                    .description = "JavaScript of a widget, by its hash. Hashes: lean_get_widgets."},
                   get_widget_source);
}

}  // namespace leanbridge::tools
