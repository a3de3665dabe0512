// lean_code_actions: the edits that Lean offers for a line, such as "Try this".

#include "tools/common/open_file.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxActions = 100;

struct CodeActionsParams {
  FileParams file;
  int line = 1;

  static wire::Fields fields() {
    return {wire::flatten<&CodeActionsParams::file>(),
            wire::field<&CodeActionsParams::line>("line", "From 1").at_least(1)};
  }
};

struct CodeActionEdit {
  int start_line = 1;
  int start_column = 1;
  int end_line = 1;
  int end_column = 1;
  std::string new_text;

  static wire::Fields fields() {
    return {wire::field<&CodeActionEdit::start_line>("start_line"),
            wire::field<&CodeActionEdit::start_column>("start_column"),
            wire::field<&CodeActionEdit::end_line>("end_line"),
            wire::field<&CodeActionEdit::end_column>("end_column"),
            wire::field<&CodeActionEdit::new_text>("new_text")};
  }
  friend bool operator==(const CodeActionEdit&, const CodeActionEdit&) = default;
};

struct CodeActionItem {
  std::string title;
  bool is_preferred = false;
  std::vector<CodeActionEdit> edits;  ///< of this file; Lean's code actions touch no other

  static wire::Fields fields() {
    return {wire::field<&CodeActionItem::title>("title"),
            wire::field<&CodeActionItem::is_preferred>("is_preferred"),
            wire::field<&CodeActionItem::edits>("edits")};
  }
};

struct CodeActionsResult {
  std::vector<CodeActionItem> actions;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&CodeActionsResult::actions>("actions"), wire::flatten<&CodeActionsResult::file>()};
  }
};

void add_edits(const json& edits, const text::Text& text, std::vector<CodeActionEdit>& out) {
  if (!edits.is_array()) return;
  for (const json& edit : edits) {
    const auto range = lean::read_range(edit.is_object() ? edit.value("range", json()) : json());
    if (!range) continue;
    const text::Position start = text.position_at(range->start), end = text.position_at(range->end);
    out.push_back({start.line, start.column, end.line, end.column, edit.value("newText", "")});
  }
}

std::vector<CodeActionEdit> edits_of(const json& action, const text::Text& text) {
  std::vector<CodeActionEdit> edits;
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

// Several ranges of a line may be offered the same.
bool is_listed(const std::vector<CodeActionItem>& actions, const CodeActionItem& item) {
  return std::any_of(actions.begin(), actions.end(), [&](const CodeActionItem& each) {
    return each.title == item.title && each.edits == item.edits;
  });
}

asio::awaitable<Result<CodeActionsResult>> code_actions(Environment& environment,
                                                        std::shared_ptr<mcp::Call> call,
                                                        CodeActionsParams params) {
  CO_TRY(const OpenFile file, co_await open_file(environment, call, params.file.file_path));
  CO_TRY(const std::size_t line_end, offset_of(file, params.line, {}, ColumnDefault::LineEnd));
  const document::Version version = file.document().state.version();
  CO_TRY(const document::WaitOutcome known, co_await file.wait_until_reported(line_end, call->scope));
  bool timed_out = known == document::WaitOutcome::Partial;

  CodeActionsResult result;
  const auto ranges = timed_out ? std::vector<text::LspRange>() : ranges_of(file, params.line);
  for (const text::LspRange& range : ranges) {
    if (result.actions.size() >= kMaxActions) break;
    json extra = {{"range", lean::to_json(range)}, {"context", {{"diagnostics", json::array()}}}};
    auto offered = co_await file.request_at("textDocument/codeAction", {line_end, version}, call->scope,
                                            std::move(extra));
    if (!offered && offered.error().kind == ErrorKind::Timeout) {
      timed_out = true;
      break;
    }
    if (!offered) co_return tl::unexpected(offered.error());
    if (offered->version != version)  // the ranges, and the edits, are those of the old text
      co_return overtaken(file.document().name);
    if (!offered->value.is_array()) continue;
    for (json& action : offered->value) {
      if (!action.is_object()) continue;
      if (!action.contains("edit") && action.contains("data")) {
        json whole = action;
        auto resolved =
            co_await file.store()->server().request("codeAction/resolve", std::move(whole), call->scope);
        if (resolved && resolved->is_object()) action = std::move(*resolved);
      }
      CodeActionItem item{action.value("title", ""), action.value("isPreferred", false),
                          edits_of(action, file.text())};
      if (!is_listed(result.actions, item)) result.actions.push_back(std::move(item));
    }
  }
  result.file = status_of(file, late_if(timed_out));
  co_return result;
}

}  // namespace

mcp::Tool lean_code_actions(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_code_actions",
                    .title = "Code actions of a line",
                    .group = "query",
                    .description = "The edits that Lean offers for a line: what `exact?`, `simp?` and other "
                                   "suggestions would put there (Try this), missing cases, imports. Nothing "
                                   "is changed."},
                   code_actions);
}

}  // namespace leanbridge::tools
