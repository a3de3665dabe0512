// The tools that make one LSP request about a position, as an editor does.

#include "core/base/json.hpp"
#include "core/ide/bounded_parallel.hpp"
#include "core/ide/code_actions.hpp"
#include "core/ide/name_lookup.hpp"
#include "core/ide/open_file.hpp"
#include "core/ide/source_locations.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;

// --- lean_hover_info: the meaning of the name at a position.

namespace {

struct HoverInfoResult {
  wire::Nullable<std::string> symbol;
  wire::Nullable<std::string> info;
  std::vector<DiagnosticItem> diagnostics;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&HoverInfoResult::symbol>(), wire::field<&HoverInfoResult::info>(),
            wire::field<&HoverInfoResult::diagnostics>(), wire::flatten<&HoverInfoResult::file>()};
  }
};

// The Markdown without its code fences.
std::string without_fences(std::string text) {
  for (const std::string_view fence : {"```lean\n", "\n```", "```"})
    for (std::size_t at; (at = text.find(fence)) != std::string::npos;) text.erase(at, fence.size());
  return text;
}

asio::awaitable<Result<HoverInfoResult>> hover_info(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                    ExactPosition params) {
  CO_TRY(const auto at, co_await open_place(environment, call, params.position(), ColumnDefault::LineEnd));
  const OpenFile& file = at.file;
  CO_TRY(const auto hover, in_time(co_await file.request_at("textDocument/hover", at.anchor, call->scope)));

  const text::Text& text = file.text();
  const std::size_t place = hover ? hover->offset : file.resolve(at.anchor);
  HoverInfoResult result;
  if (hover && hover->value.is_object()) {
    result.info = without_fences(hover_markdown(hover->value));
    if (const auto range = lean::read_range(member(hover->value, "range"))) {
      const std::size_t start = text.offset_at(range->start);
      result.symbol = text.str().substr(start, text.offset_at(range->end) - start);
    }
  }
  const auto is_over = [&](const lean::Diagnostic& each) { return place <= text.offset_at(each.range.end); };
  result.diagnostics = list_of(Messages(file.state()).shown().within(0, place + 1).where(is_over)).items;
  result.file = status_of(file, late_if(!hover));
  co_return result;
}

}  // namespace

mcp::Tool lean_hover_info(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_hover_info",
                    .title = "Type and documentation at a position",
                    .group = "query",
                    .description = "Signature and documentation of the name at a position; point at its "
                                   "first character. By name: lean_about."},
                   hover_info);
}

// --- lean_completions: completions of the text before a position.

namespace {

struct CompletionsParams {
  ExactPosition at;
  std::size_t max_completions = 32;
  std::size_t resolve_details = 8;

  static wire::Fields fields() {
    return {
        wire::flatten<&CompletionsParams::at>(),
        wire::field<&CompletionsParams::max_completions>().with_default().at_least(1),
        wire::field<&CompletionsParams::resolve_details>("Types of the first N").with_default().at_least(0)};
  }
};

struct CompletionItem {
  std::string label;
  wire::Nullable<std::string> kind;
  wire::Nullable<std::string> detail;  ///< its type

  static wire::Fields fields() {
    return wire::fields<&CompletionItem::label, &CompletionItem::kind, &CompletionItem::detail>();
  }
};

struct CompletionsResult {
  std::vector<CompletionItem> items;
  std::size_t total = 0;
  bool truncated = false;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&CompletionsResult::items>(),
            wire::field<&CompletionsResult::total>().only_if<&CompletionsResult::truncated>(),
            wire::field<&CompletionsResult::truncated>().omit_empty(),
            wire::flatten<&CompletionsResult::file>()};
  }
};

std::optional<std::string> completion_detail(const json& item) {
  const json& detail = member(item, "detail");
  return detail.is_string() ? std::optional(detail.get<std::string>()) : std::nullopt;
}

// Asks Lean for the type of an item; without an answer, the item stays as it is. `data` identifies the item's
// document in a form that varies between Lean versions; a server that cannot read it uses `textDocument`.
asio::awaitable<void> resolve(document::DocumentHandle document, json offered,
                              std::shared_ptr<std::vector<CompletionItem>> items, std::size_t index,
                              io::CancelScope scope) {
  offered["textDocument"] = {{"uri", document.document().uri}};
  const auto resolved = co_await document.request_once("completionItem/resolve", std::move(offered), scope);
  if (!resolved || !resolved->is_object()) co_return;
  if (auto detail = completion_detail(*resolved)) (*items)[index].detail = std::move(detail);
}

asio::awaitable<Result<CompletionsResult>> completions(Environment& environment,
                                                       std::shared_ptr<mcp::Call> call,
                                                       CompletionsParams params) {
  CO_TRY(const OpenPlace at,
         co_await open_place(environment, call, params.at.position(), ColumnDefault::LineEnd));
  const OpenFile& file = at.file;
  const std::string typed = word_before(file.text(), at.anchor.offset);
  CO_TRY(const auto offered,
         in_time(co_await file.request_at("textDocument/completion", at.anchor, call->scope)));

  std::vector<Completion> found;
  if (offered) found = read_completions(offered->value, typed);
  CompletionsResult result;
  result.total = found.size();
  result.truncated = params.max_completions < found.size();
  found.resize(std::min(found.size(), params.max_completions));
  auto items = std::make_shared<std::vector<CompletionItem>>();
  for (const Completion& each : found)
    items->push_back({each.label, null_if_empty(each.kind), completion_detail(each.item)});
  const std::size_t resolved = std::min(found.size(), params.resolve_details);
  auto work = [=, document = file.handle(), found = std::move(found), scope = call->scope](std::size_t i) {
    return resolve(document, found[i].item, items, i, scope);
  };
  co_await for_each_at_once(resolved, 4, std::move(work));
  result.items = std::move(*items);
  result.file = status_of(file, late_if(!offered));
  co_return result;
}

}  // namespace

mcp::Tool lean_completions(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_completions",
       .title = "Completions",
       .group = "query",
       .description = "Names that complete the text before a position, as fields and theorems after a "
                      "dot; the word's beginning must be in the file."},
      completions);
}

// --- lean_references: where a name is used, across files.

namespace {

constexpr io::Clock::duration kTimeForRequest = std::chrono::seconds(1);

struct ReferencesParams {
  ExactPosition at;
  std::size_t max_results = 50;

  static wire::Fields fields() {
    return {wire::flatten<&ReferencesParams::at>(),
            wire::field<&ReferencesParams::max_results>().with_default().at_least(1)};
  }
};

struct ReferencesResult {
  std::vector<SourceLocation> items;
  std::size_t total = 0;
  bool truncated = false;
  bool index_complete = false;  ///< false: uses may be missing
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&ReferencesResult::items>(), wire::field<&ReferencesResult::total>(),
            wire::field<&ReferencesResult::truncated>().omit_empty(),
            wire::field<&ReferencesResult::index_complete>().omit_value(true),
            wire::flatten<&ReferencesResult::file>()};
  }
};

asio::awaitable<Result<ReferencesResult>> references(Environment& environment,
                                                     std::shared_ptr<mcp::Call> call,
                                                     ReferencesParams params) {
  CO_TRY(const auto at, co_await open_place(environment, call, params.at.position(), ColumnDefault::LineEnd));
  const OpenFile& file = at.file;
  // Reserve time for the request: if the file is not elaborated in time, the index still answers with what it
  // has.
  const io::Clock::duration left = call->scope.deadline - io::Clock::now();
  const io::CancelScope waiting = call->scope.with_timeout(left - std::min(left / 4, kTimeForRequest));
  CO_TRY(const auto known, co_await file.wait_until_done(waiting));
  const bool done = known == document::WaitOutcome::Complete;
  ReferencesResult result;
  result.index_complete = done && co_await wait_for_index(file.handle(), waiting);

  json extra = {{"context", {{"includeDeclaration", true}}}};
  const auto found =
      co_await file.request_at("textDocument/references", at.anchor, call->scope, std::move(extra));
  const bool timed_out = !done || (!found && found.error().kind == ErrorKind::Timeout);
  if (!found && !timed_out) co_return tl::unexpected(found.error());

  std::vector<Place> places;
  if (found) places = read_places(found->value);
  std::erase_if(places, [](const Place& place) { return document::is_scratch_path(place.path); });
  const auto key = [](const Place& place) {
    return std::make_tuple(place.path, place.selection.start, place.selection.end);
  };
  std::ranges::sort(places, {}, key);
  const auto repeated = std::ranges::unique(places, {}, key);
  places.erase(repeated.begin(), repeated.end());
  const std::size_t shown = std::min(places.size(), params.max_results);
  Sources sources(environment, file.store());
  const io::CancelScope reading(std::chrono::seconds(10), call->scope.cancel);
  for (std::size_t i = 0; i < shown; ++i)
    result.items.push_back(co_await sources.location(places[i], reading));
  result.total = places.size();
  result.truncated = shown < places.size();
  result.file = status_of(file, late_if(timed_out));
  co_return result;
}

}  // namespace

mcp::Tool lean_references(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_references",
       .title = "References",
       .group = "query",
       .description = "All uses and declarations of the name at a position in the project's built or open "
                      "files. index_complete: false: some may be missing."},
      references);
}

// --- lean_code_actions: the edits that Lean offers for a line, such as "Try this".

namespace {

constexpr std::size_t kMaxActions = 100;

struct CodeActionsParams {
  FileParams file;
  int line = 1;

  static wire::Fields fields() {
    return {wire::flatten<&CodeActionsParams::file>(), wire::field<&CodeActionsParams::line>().at_least(1)};
  }
};

struct CodeActionEdit {
  int start_line = 1;
  int start_column = 1;
  int end_line = 1;
  int end_column = 1;
  std::string new_text;

  static wire::Fields fields() {
    return wire::fields<&CodeActionEdit::start_line, &CodeActionEdit::start_column, &CodeActionEdit::end_line,
                        &CodeActionEdit::end_column, &CodeActionEdit::new_text>();
  }
  friend bool operator==(const CodeActionEdit&, const CodeActionEdit&) = default;
};

struct CodeActionItem {
  std::string title;
  bool is_preferred = false;
  std::vector<CodeActionEdit> edits;  ///< edits of this file; Lean's code actions touch no other

  static wire::Fields fields() {
    return wire::fields<&CodeActionItem::title, &CodeActionItem::is_preferred, &CodeActionItem::edits>();
  }
};

struct CodeActionsResult {
  std::vector<CodeActionItem> actions;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&CodeActionsResult::actions>(), wire::flatten<&CodeActionsResult::file>()};
  }
};

CodeActionItem item_of(OfferedAction action, const text::Text& text) {
  CodeActionItem item{std::move(action.title), action.is_preferred, {}};
  for (OfferedEdit& edit : action.edits) {
    const text::Position start = text.position_at(edit.range.start), end = text.position_at(edit.range.end);
    item.edits.push_back({start.line, start.column, end.line, end.column, std::move(edit.new_text)});
  }
  return item;
}

// The ranges to ask about: the range of each message on the line, to which a suggestion belongs exactly, and
// the line itself. For a message about many lines, Lean would also offer the suggestions of those lines.
std::vector<text::LspRange> ranges_of(const OpenFile& file, int line) {
  const std::size_t index = static_cast<std::size_t>(line - 1);
  const text::Text& text = file.text();
  const text::LspRange whole = text.lsp_range(text.line_start(index), text.line_end(index));
  std::vector<text::LspRange> ranges;
  for (const lean::Diagnostic& diagnostic : file.document().state.diagnostics()) {
    if (diagnostic.range.start.line > index || diagnostic.range.end.line < index) continue;
    const text::LspRange here{std::max(diagnostic.range.start, whole.start),
                              std::min(diagnostic.range.end, whole.end)};
    if (std::ranges::find(ranges, here) == ranges.end()) ranges.push_back(here);
  }
  if (std::ranges::find(ranges, whole) == ranges.end()) ranges.push_back(whole);
  return ranges;
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
  for (const text::LspRange& range : ranges_of(file, params.line)) {
    if (timed_out || result.actions.size() >= kMaxActions) break;
    if (file.document().state.version() != version)  // the ranges refer to the old text
      co_return changed_meanwhile(file.document().name);
    CO_TRY(auto offered, co_await offered_actions(file, range, {}, call->scope));
    if (!offered) {
      timed_out = true;
      break;
    }
    for (OfferedAction& action : *offered) {
      CodeActionItem item = item_of(std::move(action), file.text());
      // Lean may offer the same action for several ranges.
      const auto is_same = [&](const CodeActionItem& known) {
        return known.title == item.title && known.edits == item.edits;
      };
      if (std::ranges::none_of(result.actions, is_same)) result.actions.push_back(std::move(item));
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
                    .description = "Edits that Lean offers for a line, as text: results of exact? and simp? "
                                   "(Try this), missing cases, imports."},
                   code_actions);
}

}  // namespace leanbridge::tools
