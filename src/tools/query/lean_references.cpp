// lean_references: where a name is used, across files.

#include "source_locations.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr io::Clock::duration kTimeToAsk = std::chrono::seconds(1);

Answer answer_references(Environment& environment, std::shared_ptr<mcp::Call> call,
                         mcp::Arguments arguments) {
  const auto at = co_await open_place(environment, call, arguments, ColumnDefault::LineEnd);
  if (!at) co_return tl::unexpected(at.error());
  const OpenFile& file = at->file;
  // Where the file is not elaborated in time, the index still answers for what it knows of it: a share of the
  // time is kept for that question.
  const io::Clock::duration left = call->scope.deadline - io::Clock::now();
  const io::CancelScope waiting = call->scope.with_timeout(left - std::min(left / 4, kTimeToAsk));
  const auto known = co_await document::wait_until_done(file.share(), waiting);
  if (!known) co_return tl::unexpected(known.error());
  const bool done = *known == document::Known::Complete;
  const bool indexed = done && co_await wait_for_index(file.table, file.share(), waiting);

  json extra = {{"context", {{"includeDeclaration", true}}}};
  auto found = co_await document::request_at(file.table, file.share(), "textDocument/references", at->offset,
                                             at->version, std::move(extra), call->scope);
  const bool timed_out = !done || (!found && found.error().kind == ErrorKind::Timeout);
  if (!found && !timed_out) co_return tl::unexpected(found.error());

  std::vector<Place> places;
  if (found) places = read_places(found->value);
  std::erase_if(places, [](const Place& place) { return document::is_scratch_path(place.path); });
  const auto key = [](const Place& place) {
    return std::make_tuple(place.path, place.selection.start, place.selection.end);
  };
  std::sort(places.begin(), places.end(), [&](const Place& a, const Place& b) { return key(a) < key(b); });
  places.erase(std::unique(places.begin(), places.end(),
                           [&](const Place& a, const Place& b) { return key(a) == key(b); }),
               places.end());
  const std::size_t shown =
      std::min(places.size(), static_cast<std::size_t>(arguments.integer("max_results", 50)));
  Sources sources(environment, file.table);
  json items = json::array();
  const io::CancelScope reading(std::chrono::seconds(10), call->scope.cancel);
  for (std::size_t i = 0; i < shown; ++i) {
    json item = co_await sources.location(places[i], reading);
    items.push_back(std::move(item));
  }
  json result = {{"items", std::move(items)},
                 {"total", places.size()},
                 {"truncated", shown < places.size()},
                 {"index_complete", indexed}};
  co_return finish(std::move(result), file, timed_out, timed_out);
}

}  // namespace

mcp::Tool lean_references(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_references";
  tool.title = "References";
  tool.group = "query";
  tool.description =
      "All places that use, or declare, the name at a place, in all built or open files of the project. With "
      "index_complete: false Lean's index was not ready, and places may be missing.";
  auto column = column_argument();
  column.required = true;
  tool.arguments = {file_argument(), line_argument(), column,
                    Argument::optional_("max_results", ArgumentType::Integer, "Default 50").at_least(1)};
  answers(tool,
          {{"items", schema::list({})},
           {"total", schema::integer()},
           {"truncated", schema::boolean()},
           {"index_complete", schema::boolean()}},
          {"items", "total", "truncated", "index_complete"});
  tool.handler = bind_handler(environment, answer_references);
  return tool;
}

}  // namespace leanbridge::tools
