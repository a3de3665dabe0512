// lean_explore_get_dependencies: what a statement of LeanExplore rests on.

#include "exploring.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

asio::awaitable<search::Outcome<json>> get_dependencies(search::Explore* explore, int id, io::Scope scope) {
  const auto items = co_await explore->get_dependencies(id, scope);
  if (!items) co_return tl::unexpected(items.error());
  if (!*items) co_return json{{"result", nullptr}};
  json citations = json::array();
  for (const search::ExploreItem& item : **items) citations.push_back(search::to_result_item(item));
  const std::size_t count = citations.size();
  json answer = {{"source_group_id", id}, {"citations", std::move(citations)}, {"count", count}};
  co_return answer;
}

Answer answer_explore_get_dependencies(Environment& environment, std::shared_ptr<mcp::Call> call,
                                       mcp::Arguments arguments) {
  const int id = arguments.integer("group_id");
  search::Explore* const explore = &environment.search.explore();
  const search::Request request = [explore, id](io::Scope scope) {
    return get_dependencies(explore, id, scope);
  };
  json key = {"get_dependencies", id};
  auto reply = co_await environment.search.explore_source().perform(std::move(key), request, call->scope);
  if (!reply.value) co_return explore_error(reply.value.error());
  co_return std::move(*reply.value);
}

}  // namespace

mcp::Tool lean_explore_get_dependencies(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_explore_get_dependencies";
  tool.title = "LeanExplore: dependencies";
  tool.description =
      "The statements that one of LeanExplore's rests on; {\"result\": null} where there is no such id.";
  tool.arguments = {group_id_argument()};
  tool.output = {
      {"source_group_id", schema::integer()}, {"citations", schema::list({})}, {"count", schema::integer()}};
  explores(tool);
  tool.handler = handled_by(environment, answer_explore_get_dependencies);
  return tool;
}

}  // namespace leanbridge::tools
