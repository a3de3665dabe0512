// lean_explore_get_by_id: one statement of LeanExplore.

#include "exploring.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

asio::awaitable<search::Outcome<json>> get_by_id(search::Explore* explore, int id, io::Scope scope) {
  const auto item = co_await explore->get_by_id(id, scope);
  if (!item) co_return tl::unexpected(item.error());
  if (!*item) co_return json{{"result", nullptr}};
  co_return search::to_result_item(**item);
}

Answer answer_explore_get_by_id(Environment& environment, std::shared_ptr<mcp::Call> call,
                                mcp::Arguments arguments) {
  const int id = arguments.integer("group_id");
  search::Explore* const explore = &environment.search.explore();
  const search::Request request = [explore, id](io::Scope scope) { return get_by_id(explore, id, scope); };
  json key = {"get_by_id", id};
  auto reply = co_await environment.search.explore_source().perform(std::move(key), request, call->scope);
  if (!reply.value) co_return explore_error(reply.value.error());
  co_return std::move(*reply.value);
}

}  // namespace

mcp::Tool lean_explore_get_by_id(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_explore_get_by_id";
  tool.title = "LeanExplore: one statement";
  tool.description =
      "A statement that lean_explore_search has found, whole; {\"result\": null} where there is no such id.";
  tool.arguments = {group_id_argument()};
  tool.output = {{"id", schema::integer()}, {"statement_text", schema::string()}};
  explores(tool);
  tool.handler = handled_by(environment, answer_explore_get_by_id);
  return tool;
}

}  // namespace leanbridge::tools
