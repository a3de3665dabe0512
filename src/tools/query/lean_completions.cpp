// lean_completions: what can stand at a place.

#include "completions.hpp"
#include "tools/common/bounded_parallel.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;

namespace {

struct CompletionsParams {
  ExactPosition at;
  std::size_t max_completions = 32;
  std::size_t resolve_details = 8;

  static wire::Fields fields() {
    return {
        wire::flatten<&CompletionsParams::at>(),
        wire::field<&CompletionsParams::max_completions>("max_completions", "Default 32")
            .with_default()
            .at_least(1),
        wire::field<&CompletionsParams::resolve_details>("resolve_details", "Types of the first N, default 8")
            .with_default()
            .at_least(0)};
  }
};

struct CompletionItem {
  std::string label;
  wire::Nullable<std::string> kind;
  wire::Nullable<std::string> detail;  ///< its type

  static wire::Fields fields() {
    return {wire::field<&CompletionItem::label>("label"), wire::field<&CompletionItem::kind>("kind"),
            wire::field<&CompletionItem::detail>("detail")};
  }
};

struct CompletionsResult {
  std::vector<CompletionItem> items;
  std::size_t total = 0;
  bool truncated = false;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&CompletionsResult::items>("items"), wire::field<&CompletionsResult::total>("total"),
            wire::field<&CompletionsResult::truncated>("truncated"),
            wire::flatten<&CompletionsResult::file>()};
  }
};

std::optional<std::string> completion_detail(const json& item) {
  const auto detail = item.find("detail");
  if (detail == item.end() || !detail->is_string()) return std::nullopt;
  return detail->get<std::string>();
}

// Asks Lean for the type of an item; where it does not say, the item stays as it is. The item says in its
// `data` whose it is, in a way that changes from version to version; a server that cannot read that goes by
// `textDocument`.
asio::awaitable<void> resolve(std::shared_ptr<document::DocumentStore> table, std::string uri, json offered,
                              std::shared_ptr<std::vector<CompletionItem>> items, std::size_t index,
                              io::CancelScope scope) {
  offered["textDocument"] = {{"uri", uri}};
  const auto resolved = co_await table->server().request("completionItem/resolve", std::move(offered), scope);
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
  const auto offered = co_await file.request_at("textDocument/completion", at.anchor, call->scope);
  const bool timed_out = !offered && offered.error().kind == ErrorKind::Timeout;
  if (!offered && !timed_out) co_return tl::unexpected(offered.error());

  auto found = std::make_shared<std::vector<Completion>>();
  if (offered) *found = read_completions(offered->value, typed);
  const std::size_t shown = std::min(found->size(), params.max_completions);
  auto items = std::make_shared<std::vector<CompletionItem>>();
  for (std::size_t i = 0; i < shown; ++i) {
    const Completion& completion = (*found)[i];
    items->push_back({completion.label, null_if_empty(completion.kind), completion_detail(completion.item)});
  }
  const auto work = [table = file.store(), uri = file.document().uri, found, items, scope = call->scope](
                        std::size_t i) { return resolve(table, uri, (*found)[i].item, items, i, scope); };
  co_await for_each_at_once(std::min(shown, params.resolve_details), 4, work);

  CompletionsResult result;
  result.items = std::move(*items);
  result.total = found->size();
  result.truncated = shown < result.total;
  result.file = status_of(file, late_if(timed_out));
  co_return result;
}

}  // namespace

mcp::Tool lean_completions(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_completions",
                    .title = "Completions",
                    .group = "query",
                    .description = "Names that complete what stands before a place, such as the fields and "
                                   "theorems after a dot, the best first. The beginning of the word must be "
                                   "in the file."},
                   completions);
}

}  // namespace leanbridge::tools
