// lean_explore_search: LeanExplore's search, in the shape of its own first server.

#include "exploring.hpp"
#include "local_index.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr int kExploreResults = 10;

asio::awaitable<search::Outcome<json>> search_as_json(search::Explore* explore, search::Question question,
                                                      io::Scope scope) {
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
  const search::Request request = [explore, question](io::Scope scope) {
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
  tool.handler = handled_by(environment, answer_explore_search);
  return tool;
}

}  // namespace leanbridge::tools
