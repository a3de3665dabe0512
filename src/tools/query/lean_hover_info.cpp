// lean_hover_info: what a name at a place is.

#include "source_locations.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

// The Markdown without its fences: what is left is Lean and prose.
std::string without_fences(std::string text) {
  for (const std::string_view fence : {"```lean\n", "\n```", "```"})
    for (std::size_t at; (at = text.find(fence)) != std::string::npos;) text.erase(at, fence.size());
  return text;
}

Answer answer_hover_info(Environment& environment, std::shared_ptr<mcp::Call> call,
                         mcp::Arguments arguments) {
  const auto at = co_await open_place(environment, call, arguments, ColumnDefault::LineEnd);
  if (!at) co_return tl::unexpected(at.error());
  const OpenFile& file = at->file;
  auto hover = co_await document::request_at(file.table, file.share(), "textDocument/hover", at->offset,
                                             at->version, {}, call->scope);
  const bool timed_out = !hover && hover.error().kind == ErrorKind::Timeout;
  if (!hover && !timed_out) co_return tl::unexpected(hover.error());

  const text::Text& text = file.text();
  const std::size_t place =
      hover ? hover->offset
            : file.document().state.resolve({at->offset, at->version}).value_or(file.text().size());
  json result = {{"symbol", nullptr}, {"info", nullptr}};
  if (hover && hover->value.is_object()) {
    result["info"] = without_fences(hover_markdown(hover->value));
    if (const auto range = lean::read_range(hover->value.value("range", json()))) {
      const std::size_t start = text.offset_at(range->start);
      result["symbol"] = text.str().substr(start, text.offset_at(range->end) - start);
    }
  }
  std::vector<const lean::Diagnostic*> here;
  for (const lean::Diagnostic& diagnostic : file.document().state.diagnostics())
    if (is_shown(diagnostic) && text.offset_at(diagnostic.range.start) <= place &&
        place <= text.offset_at(diagnostic.range.end))
      here.push_back(&diagnostic);
  json items;
  add_items(items, text, std::move(here));
  result["diagnostics"] = std::move(items["items"]);
  co_return finish(std::move(result), file, timed_out, timed_out);
}

}  // namespace

mcp::Tool lean_hover_info(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_hover_info";
  tool.title = "Type and documentation at a place";
  tool.group = "query";
  tool.description =
      "Signature and documentation of what stands at a place, and the diagnostics there. info is null where "
      "Lean has "
      "nothing to say: point at the first character of a name.";
  auto column = column_argument();
  column.required = true;
  tool.arguments = {file_argument(), line_argument(), column};
  answers(tool,
          {{"symbol", schema::nullable(schema::string())},
           {"info", schema::nullable(schema::string())},
           {"diagnostics", schema::list({})}},
          {"symbol", "info", "diagnostics"});
  tool.handler = bind_handler(environment, answer_hover_info);
  return tool;
}

}  // namespace leanbridge::tools
