#include "leanexplore_tools.hpp"

#include "local_index.hpp"

namespace leanbridge::tools {

mcp::Argument group_id_argument() {
  return mcp::Argument::required_("group_id", mcp::ArgumentType::Integer,
                                  "An id that lean_explore_search gave");
}

void explores(mcp::Tool& tool) {
  tool.group = "search";
  tool.annotations.open_world = true;
}

tl::unexpected<Error> explore_error(const search::Problem& problem) {
  return tl::unexpected<Error>(search::to_error(problem));
}

// --- lean_explore_search: LeanExplore's search, in the shape of its own first server.

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr int kExploreResults = 10;

asio::awaitable<search::Outcome<json>> search_as_json(search::Explore* explore, search::Question question,
                                                      io::CancelScope scope) {
  const auto found = co_await explore->search(question, scope);
  if (!found) co_return tl::unexpected(found.error());
  json results = json::array();
  for (const search::ExploreItem& item : found->items)
    if (results.size() < question.limit) results.push_back(search::to_result_item(item));
  const std::size_t count = results.size();
  json answer = {{"query", question.text},
                 {"packages_applied", found->packages_applied},
                 {"results", std::move(results)},
                 {"count", count},
                 {"total_candidates_considered", found->candidates}};
  co_return answer;
}

search::ExploreItem item_of(const search::Hit& hit) {
  search::ExploreItem item;
  item.name = hit.name;
  item.source_file = hit.module;
  for (char& c : item.source_file)
    if (c == '.') c = '/';
  if (!item.source_file.empty()) item.source_file += ".lean";
  item.line = hit.line;
  const bool binders_follow = !hit.type.empty() && hit.type.front() != ':' && hit.type.front() != ' ';
  item.statement =
      hit.kind + (hit.kind.empty() ? "" : " ") + hit.name + (binders_follow ? " : " : " ") + hit.type;
  if (!hit.docstring.empty()) item.docstring = hit.docstring;
  return item;
}

// What the local index has, where LeanExplore cannot be asked.
Answer from_index(Environment& environment, std::shared_ptr<mcp::Call> call, search::Question question,
                  search::Problem problem) {
  const auto root = index_root(environment, "");
  const std::filesystem::path project = root ? *root : std::filesystem::path();
  search::Query query = search::analyse(question.text);
  const auto local = co_await environment.search.engine().instead_of(
      "leanexplore", std::move(problem), question, std::move(query), project, call->scope);
  if (!local) co_return explore_error(local.error());
  json results = json::array();
  for (const search::Hit& hit : local->found.hits) results.push_back(search::to_result_item(item_of(hit)));
  const std::size_t count = results.size();
  json answer = {{"query", question.text},
                 {"packages_applied", question.packages},
                 {"results", std::move(results)},
                 {"count", count},
                 {"total_candidates_considered", count},
                 {"source", local->source},
                 {"fallback_for", local->fallback_for},
                 {"problem", local->problem}};
  co_return answer;
}

Answer answer_explore_search(Environment& environment, std::shared_ptr<mcp::Call> call,
                             mcp::Arguments arguments) {
  const auto start = io::Clock::now();
  search::Question question;
  question.text = arguments.string("query");
  question.packages = arguments.strings("package_filters");
  question.limit = static_cast<std::size_t>(arguments.integer("limit", kExploreResults));
  search::Explore* const explore = &environment.search.explore();
  const search::Request request = [explore, question](io::CancelScope scope) {
    return search_as_json(explore, question, scope);
  };
  json key = {"explore", question.text, question.packages, question.limit};
  auto reply = co_await environment.search.explore_source().perform(std::move(key), request, call->scope);
  Result<json> result = json();
  if (reply.value) {
    result = std::move(*reply.value);
  } else {
    result = co_await from_index(environment, call, question, reply.value.error());
  }
  if (result)
    (*result)["processing_time_ms"] =
        std::chrono::duration_cast<std::chrono::milliseconds>(io::Clock::now() - start).count();
  co_return result;
}

}  // namespace

mcp::Tool lean_explore_search(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_explore_search";
  tool.title = "LeanExplore";
  tool.description =
      "Statements by meaning or name, from LeanExplore, with ids for lean_explore_get_by_id and "
      "lean_explore_get_dependencies.";
  tool.arguments = {Argument::required_("query", ArgumentType::String, "Prose or a name"),
                    Argument::optional_("package_filters", ArgumentType::StringList, "Mathlib.Analysis"),
                    Argument::optional_("limit", ArgumentType::Integer, "Default 10").at_least(1)};
  tool.output = {{"query", schema::string()},
                 {"packages_applied", schema::list({})},
                 {"results", schema::list({})},
                 {"count", schema::integer()},
                 {"total_candidates_considered", schema::integer()},
                 {"processing_time_ms", schema::integer()}};
  tool.always = {
      "query", "packages_applied", "results", "count", "total_candidates_considered", "processing_time_ms"};
  explores(tool);
  tool.handler = bind_handler(environment, answer_explore_search);
  return tool;
}

// --- lean_explore_get_by_id: one statement of LeanExplore.

namespace {

using AboutId = asio::awaitable<search::Outcome<json>> (*)(search::Explore*, int, io::CancelScope);

// `what`: the question's name in the cache.
Answer ask_about_id(Environment& environment, std::shared_ptr<mcp::Call> call, int id, std::string what,
                    AboutId about_id) {
  search::Explore* const explore = &environment.search.explore();
  const search::Request request = [explore, id, about_id](io::CancelScope scope) {
    return about_id(explore, id, scope);
  };
  json key = {std::move(what), id};
  auto reply = co_await environment.search.explore_source().perform(std::move(key), request, call->scope);
  if (!reply.value) co_return explore_error(reply.value.error());
  co_return std::move(*reply.value);
}

asio::awaitable<search::Outcome<json>> get_by_id(search::Explore* explore, int id, io::CancelScope scope) {
  const auto item = co_await explore->get_by_id(id, scope);
  if (!item) co_return tl::unexpected(item.error());
  if (!*item) co_return json{{"result", nullptr}};
  co_return search::to_result_item(**item);
}

Answer answer_explore_get_by_id(Environment& environment, std::shared_ptr<mcp::Call> call,
                                mcp::Arguments arguments) {
  return ask_about_id(environment, std::move(call), arguments.integer("group_id"), "get_by_id", get_by_id);
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
  tool.handler = bind_handler(environment, answer_explore_get_by_id);
  return tool;
}

// --- lean_explore_get_dependencies: what a statement of LeanExplore rests on.

namespace {

asio::awaitable<search::Outcome<json>> get_dependencies(search::Explore* explore, int id,
                                                        io::CancelScope scope) {
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
  return ask_about_id(environment, std::move(call), arguments.integer("group_id"), "get_dependencies",
                      get_dependencies);
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
  tool.handler = bind_handler(environment, answer_explore_get_dependencies);
  return tool;
}

}  // namespace leanbridge::tools
