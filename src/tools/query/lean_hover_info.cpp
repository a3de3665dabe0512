// lean_hover_info: what a name at a place is.

#include "source_locations.hpp"

namespace leanbridge::tools {

using nlohmann::json;

namespace {

struct HoverInfoResult {
  wire::Nullable<std::string> symbol;
  wire::Nullable<std::string> info;
  std::vector<DiagnosticItem> diagnostics;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&HoverInfoResult::symbol>("symbol"), wire::field<&HoverInfoResult::info>("info"),
            wire::field<&HoverInfoResult::diagnostics>("diagnostics"),
            wire::flatten<&HoverInfoResult::file>()};
  }
};

// The Markdown without its fences: what is left is Lean and prose.
std::string without_fences(std::string text) {
  for (const std::string_view fence : {"```lean\n", "\n```", "```"})
    for (std::size_t at; (at = text.find(fence)) != std::string::npos;) text.erase(at, fence.size());
  return text;
}

asio::awaitable<Result<HoverInfoResult>> hover_info(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                    ExactPosition params) {
  CO_TRY(const auto at, co_await open_place(environment, call, params.position(), ColumnDefault::LineEnd));
  const OpenFile& file = at.file;
  const auto hover = co_await file.request_at("textDocument/hover", at.anchor, call->scope);
  const bool timed_out = !hover && hover.error().kind == ErrorKind::Timeout;
  if (!hover && !timed_out) co_return tl::unexpected(hover.error());

  const text::Text& text = file.text();
  const std::size_t place = hover ? hover->offset : file.resolve(at.anchor);
  HoverInfoResult result;
  if (hover && hover->value.is_object()) {
    result.info = without_fences(hover_markdown(hover->value));
    if (const auto range = lean::read_range(hover->value.value("range", json()))) {
      const std::size_t start = text.offset_at(range->start);
      result.symbol = text.str().substr(start, text.offset_at(range->end) - start);
    }
  }
  std::vector<const lean::Diagnostic*> here;
  for (const lean::Diagnostic& diagnostic : file.document().state.diagnostics())
    if (is_shown(diagnostic) && text.offset_at(diagnostic.range.start) <= place &&
        place <= text.offset_at(diagnostic.range.end))
      here.push_back(&diagnostic);
  result.diagnostics = list_of(text, std::move(here)).items;
  result.file = status_of(file, late_if(timed_out));
  co_return result;
}

}  // namespace

mcp::Tool lean_hover_info(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_hover_info",
                    .title = "Type and documentation at a place",
                    .group = "query",
                    .description = "Signature and documentation of what stands at a place, and the "
                                   "diagnostics there. info is null where Lean has nothing to say: point at "
                                   "the first character of a name."},
                   hover_info);
}

}  // namespace leanbridge::tools
