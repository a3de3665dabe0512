// lean_code_actions: the edits that Lean offers for a line, such as "Try this".

#include "tools/common/open_file.hpp"

#include <set>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr std::size_t kMaxActions = 100;

void add_edits(const json& edits, const text::Text& text, json& out) {
  if (!edits.is_array()) return;
  for (const json& edit : edits) {
    const auto range = lean::read_range(edit.is_object() ? edit.value("range", json()) : json());
    if (!range) continue;
    const text::Position start = text.position_at(range->start), end = text.position_at(range->end);
    out.push_back({{"start_line", start.line},
                   {"start_column", start.column},
                   {"end_line", end.line},
                   {"end_column", end.column},
                   {"new_text", edit.value("newText", "")}});
  }
}

// Of this file; Lean's code actions touch no other.
json edits_of(const json& action, const text::Text& text) {
  json edits = json::array();
  const json edit = action.value("edit", json());
  if (!edit.is_object()) return edits;
  for (const json& change : edit.value("documentChanges", json::array()))
    if (change.is_object()) add_edits(change.value("edits", json()), text, edits);
  const json changes = edit.value("changes", json::object());
  for (const json& of_file : changes) add_edits(of_file, text, edits);
  return edits;
}

// What a line can be asked with: the extent of each message on it (a suggestion belongs to exactly that), and
// itself.
std::vector<text::LspRange> ranges_of(const OpenFile& file, int line) {
  const std::size_t index = static_cast<std::size_t>(line - 1);
  const text::Text& text = file.text();
  std::vector<text::LspRange> ranges;
  for (const lean::Diagnostic& diagnostic : file.document().state.diagnostics()) {
    if (diagnostic.range.start.line > index || diagnostic.range.end.line < index) continue;
    if (std::find(ranges.begin(), ranges.end(), diagnostic.range) == ranges.end())
      ranges.push_back(diagnostic.range);
  }
  ranges.push_back(text.lsp_range(text.line_start(index), text.line_end(index)));
  return ranges;
}

Answer answer_code_actions(Environment& environment, std::shared_ptr<mcp::Call> call,
                           mcp::Arguments arguments) {
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  const int line = arguments.integer("line");
  const auto line_end = offset_of(*file, line, {}, ColumnDefault::LineEnd);
  if (!line_end) co_return tl::unexpected(line_end.error());
  const document::Version version = file->document().state.version();
  const auto known = co_await document::wait_until_reported(file->share(), *line_end, call->scope);
  if (!known) co_return tl::unexpected(known.error());
  bool timed_out = *known == document::Known::Partial;

  json actions = json::array();
  std::set<std::string> seen;
  for (const text::LspRange& range : timed_out ? std::vector<text::LspRange>() : ranges_of(*file, line)) {
    if (timed_out || actions.size() >= kMaxActions) break;
    json extra = {{"range", lean::to_json(range)}, {"context", {{"diagnostics", json::array()}}}};
    auto offered = co_await document::request_at(file->table, file->share(), "textDocument/codeAction",
                                                 *line_end, version, std::move(extra), call->scope);
    if (!offered && offered.error().kind == ErrorKind::Timeout) {
      timed_out = true;
      break;
    }
    if (!offered) co_return tl::unexpected(offered.error());
    if (offered->version != version)  // the ranges, and the edits, are those of the old text
      co_return overtaken(file->document().name);
    if (!offered->value.is_array()) continue;
    for (json& action : offered->value) {
      if (!action.is_object()) continue;
      if (!action.contains("edit") && action.contains("data")) {
        json whole = action;
        auto resolved =
            co_await file->table->server().request("codeAction/resolve", std::move(whole), call->scope);
        if (resolved && resolved->is_object()) action = std::move(*resolved);
      }
      json item = {{"title", action.value("title", "")},
                   {"is_preferred", action.value("isPreferred", false)},
                   {"edits", edits_of(action, file->text())}};
      if (seen.insert(item["title"].get<std::string>() + item["edits"].dump()).second)
        actions.push_back(std::move(item));
    }
  }
  json result = {{"actions", std::move(actions)}};
  co_return finish(std::move(result), *file, timed_out, timed_out);
}

}  // namespace

mcp::Tool lean_code_actions(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_code_actions";
  tool.title = "Code actions of a line";
  tool.group = "query";
  tool.description =
      "The edits that Lean offers for a line: what `exact?`, `simp?` and other suggestions would put there "
      "(Try this), "
      "missing cases, imports. Nothing is changed.";
  tool.arguments = {file_argument(), line_argument()};
  answers(tool, {{"actions", schema::list({})}}, {"actions"});
  tool.handler = bind_handler(environment, answer_code_actions);
  return tool;
}

}  // namespace leanbridge::tools
