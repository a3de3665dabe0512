// lean_completions: what can stand at a place.

#include "completions.hpp"
#include "tools/common/bounded_parallel.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

// The type of an item, from Lean; null where it does not say. The item says in its `data` whose it is, in a
// way that changes from version to version; a server that cannot read that goes by `textDocument`.
asio::awaitable<void> resolve(std::shared_ptr<document::DocumentStore> table, std::string uri, json item,
                              std::shared_ptr<json> details, std::size_t index, io::CancelScope scope) {
  item["textDocument"] = {{"uri", uri}};
  const auto resolved = co_await table->server().request("completionItem/resolve", std::move(item), scope);
  if (!resolved || !resolved->is_object()) co_return;
  if (const auto detail = resolved->find("detail"); detail != resolved->end() && detail->is_string())
    (*details)[index] = *detail;
}

Answer answer_completions(Environment& environment, std::shared_ptr<mcp::Call> call,
                          mcp::Arguments arguments) {
  const auto at = co_await open_place(environment, call, arguments, ColumnDefault::LineEnd);
  if (!at) co_return tl::unexpected(at.error());
  const OpenFile& file = at->file;
  const std::string typed = word_before(file.text(), at->offset);
  const auto offered = co_await document::request_at(file.table, file.share(), "textDocument/completion",
                                                     at->offset, at->version, {}, call->scope);
  const bool timed_out = !offered && offered.error().kind == ErrorKind::Timeout;
  if (!offered && !timed_out) co_return tl::unexpected(offered.error());

  auto found = std::make_shared<std::vector<Completion>>();
  if (offered) *found = read_completions(offered->value, typed);
  const std::size_t total = found->size();
  const std::size_t shown =
      std::min(total, static_cast<std::size_t>(arguments.integer("max_completions", 32)));
  const std::size_t resolved =
      std::min(shown, static_cast<std::size_t>(arguments.integer("resolve_details", 8)));
  auto details = std::make_shared<json>(json::array());
  for (std::size_t i = 0; i < shown; ++i) details->push_back((*found)[i].item.value("detail", json()));
  const auto work = [table = file.table, uri = file.document().uri, found, details, scope = call->scope](
                        std::size_t i) { return resolve(table, uri, (*found)[i].item, details, i, scope); };
  co_await for_each_at_once(resolved, 4, work);

  json items = json::array();
  for (std::size_t i = 0; i < shown; ++i) {
    const Completion& completion = (*found)[i];
    const json kind = completion.kind.empty() ? json() : json(completion.kind);
    items.push_back({{"label", completion.label}, {"kind", kind}, {"detail", (*details)[i]}});
  }
  json result = {{"items", std::move(items)}, {"total", total}, {"truncated", shown < total}};
  co_return finish(std::move(result), file, timed_out, timed_out);
}

}  // namespace

mcp::Tool lean_completions(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_completions";
  tool.title = "Completions";
  tool.group = "query";
  tool.description =
      "Names that complete what stands before a place, such as the fields and theorems after a dot, the best "
      "first. "
      "The beginning of the word must be in the file.";
  auto column = column_argument();
  column.required = true;
  tool.arguments = {
      file_argument(), line_argument(), column,
      Argument::optional_("max_completions", ArgumentType::Integer, "Default 32").at_least(1),
      Argument::optional_("resolve_details", ArgumentType::Integer, "Types of the first N, default 8")
          .at_least(0)};
  answers(tool, {{"items", schema::list({})}, {"total", schema::integer()}, {"truncated", schema::boolean()}},
          {"items", "total", "truncated"});
  tool.handler = bind_handler(environment, answer_completions);
  return tool;
}

}  // namespace leanbridge::tools
