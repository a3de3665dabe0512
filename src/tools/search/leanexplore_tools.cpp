// The tools of LeanExplore, in the shape of its own first MCP server.

#include "search_common.hpp"

namespace leanbridge::tools {

using nlohmann::json;

namespace {

constexpr mcp::Annotations kAsksLeanExplore = {.open_world = true};

tl::unexpected<Error> explore_error(const search::Problem& problem) {
  return tl::unexpected<Error>(search::to_error(problem));
}

// --- lean_explore_search

struct ExploreSearchParams {
  std::string query;
  std::vector<std::string> package_filters;  ///< empty: all
  std::size_t limit = 10;

  static wire::Fields fields() {
    return {wire::field<&ExploreSearchParams::query>("query", "Prose or a name"),
            wire::field<&ExploreSearchParams::package_filters>("package_filters", "Mathlib.Analysis")
                .with_default(),
            wire::field<&ExploreSearchParams::limit>("limit").with_default().at_least(1)};
  }
};

/// The results, as cached.
struct ExploreFindings {
  std::string query;
  std::optional<std::vector<std::string>> packages_applied;  ///< nullopt: none were given
  std::vector<json> results;                                 ///< LeanExplore's ResultItem
  std::size_t count = 0;
  std::size_t total_candidates_considered = 0;
  std::optional<std::string> source, fallback_for, problem;  ///< if the index answers instead

  static wire::Fields fields() {
    return {wire::field<&ExploreFindings::query>("query"),
            wire::field<&ExploreFindings::packages_applied>("packages_applied"),
            wire::field<&ExploreFindings::results>("results"),
            wire::field<&ExploreFindings::count>("count"),
            wire::field<&ExploreFindings::total_candidates_considered>("total_candidates_considered"),
            wire::field<&ExploreFindings::source>("source"),
            wire::field<&ExploreFindings::fallback_for>("fallback_for"),
            wire::field<&ExploreFindings::problem>("problem")};
  }
};

struct ExploreSearchResult {
  ExploreFindings found;
  std::int64_t processing_time_ms = 0;

  static wire::Fields fields() {
    return {wire::flatten<&ExploreSearchResult::found>(),
            wire::field<&ExploreSearchResult::processing_time_ms>("processing_time_ms")};
  }
};

asio::awaitable<search::Outcome<json>> search_as_json(search::Explore* explore, search::Question question,
                                                      io::CancelScope scope) {
  const auto answer = co_await explore->search(question, scope);
  if (!answer) co_return tl::unexpected(answer.error());
  ExploreFindings found;
  found.query = question.text;
  if (!answer->packages_applied.empty()) found.packages_applied = answer->packages_applied;
  for (const search::ExploreItem& item : answer->items)
    if (found.results.size() < question.limit) found.results.push_back(search::to_result_item(item));
  found.count = found.results.size();
  found.total_candidates_considered = answer->candidates;
  co_return wire::write(found);
}

search::ExploreItem item_of(const search::Hit& hit) {
  search::ExploreItem item;
  item.name = hit.name;
  item.source_file = file_of_module(hit.module);
  item.line = hit.line;
  const bool binders_follow = !hit.type.empty() && hit.type.front() != ':' && hit.type.front() != ' ';
  item.statement =
      hit.kind + (hit.kind.empty() ? "" : " ") + hit.name + (binders_follow ? " : " : " ") + hit.type;
  if (!hit.docstring.empty()) item.docstring = hit.docstring;
  return item;
}

// The answer of the local index, if LeanExplore cannot be asked.
asio::awaitable<Result<ExploreFindings>> from_index(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                    search::Question question, search::Problem problem) {
  const auto root = index_root(environment, "");
  const std::filesystem::path project = root ? *root : std::filesystem::path();
  search::Query query = search::analyse(question.text);
  const auto local = co_await environment.search.engine().fall_back(
      "leanexplore", std::move(problem), question, std::move(query), project, call->scope);
  if (!local) co_return explore_error(local.error());
  ExploreFindings found;
  found.query = question.text;
  if (!question.packages.empty()) found.packages_applied = question.packages;
  for (const search::Hit& hit : local->found.hits)
    found.results.push_back(search::to_result_item(item_of(hit)));
  found.count = found.results.size();
  found.total_candidates_considered = found.count;
  found.source = local->source;
  found.fallback_for = local->fallback_for;
  found.problem = local->problem;
  co_return found;
}

asio::awaitable<Result<ExploreSearchResult>> explore_search(Environment& environment,
                                                            std::shared_ptr<mcp::Call> call,
                                                            ExploreSearchParams params) {
  const auto start = io::Clock::now();
  search::Question question;
  question.text = std::move(params.query);
  question.packages = std::move(params.package_filters);
  question.limit = params.limit;
  search::Explore* const explore = &environment.search.explore();
  const search::Request request = [explore, question](io::CancelScope scope) {
    return search_as_json(explore, question, scope);
  };
  const json key = {"explore", question.text, question.packages, question.limit};
  search::Source& source = environment.search.explore_source();
  const io::Clock::duration patience = environment.search.engine().patience();
  auto reply = co_await source.perform(key, request, call->scope.with_timeout(patience));
  ExploreSearchResult result;
  if (!reply.value) {
    const bool is_late = reply.value.error().failure == search::Failure::Timeout;
    auto found = co_await from_index(environment, call, question, reply.value.error());
    if (is_late && (!found || found->count == 0))
      reply = co_await source.perform(key, request, call->scope);  // there is nothing better to say
    if (!reply.value && !found) co_return tl::unexpected(found.error());
    if (!reply.value) result.found = std::move(*found);
  }
  if (reply.value) result.found = wire::read<ExploreFindings>(*reply.value);
  result.processing_time_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(io::Clock::now() - start).count();
  co_return result;
}

}  // namespace

mcp::Tool lean_explore_search(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_explore_search",
                    .title = "LeanExplore",
                    .group = "search",
                    .description = "Statements from LeanExplore by meaning or name, with ids for "
                                   "lean_explore_get_by_id and lean_explore_get_dependencies.",
                    .annotations = kAsksLeanExplore,
                    .listed = false},
                   explore_search);
}

// --- lean_explore_get_by_id and lean_explore_get_dependencies

namespace {

struct StatementParams {
  int group_id = 0;

  static wire::Fields fields() {
    return {wire::field<&StatementParams::group_id>("group_id", "From lean_explore_search")};
  }
};

struct StatementDependencies {
  int source_group_id = 0;
  std::vector<json> citations;  ///< LeanExplore's ResultItem
  std::size_t count = 0;

  static wire::Fields fields() {
    return {wire::field<&StatementDependencies::source_group_id>("source_group_id"),
            wire::field<&StatementDependencies::citations>("citations"),
            wire::field<&StatementDependencies::count>("count")};
  }
};

/// The answer if there is no such id.
struct NoStatement {
  json result;  ///< null

  static wire::Fields fields() { return {wire::field<&NoStatement::result>("result")}; }
};

asio::awaitable<search::Outcome<json>> get_by_id(search::Explore* explore, int id, io::CancelScope scope) {
  const auto item = co_await explore->get_by_id(id, scope);
  if (!item) co_return tl::unexpected(item.error());
  if (!*item) co_return wire::write(NoStatement());
  co_return search::to_result_item(**item);
}

asio::awaitable<search::Outcome<json>> get_dependencies(search::Explore* explore, int id,
                                                        io::CancelScope scope) {
  const auto items = co_await explore->get_dependencies(id, scope);
  if (!items) co_return tl::unexpected(items.error());
  if (!*items) co_return wire::write(NoStatement());
  StatementDependencies answer;
  answer.source_group_id = id;
  for (const search::ExploreItem& item : **items) answer.citations.push_back(search::to_result_item(item));
  answer.count = answer.citations.size();
  co_return wire::write(answer);
}

/// A question about a statement. Its answer is JSON of one of two shapes, cached as it is.
struct StatementQuestion {
  const char* name;  ///< in the cache
  asio::awaitable<search::Outcome<json>> (*ask)(search::Explore*, int id, io::CancelScope);
};

asio::awaitable<Result<json>> ask_about_statement(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                  StatementParams params, StatementQuestion question) {
  search::Explore* const explore = &environment.search.explore();
  const search::Request request = [explore, id = params.group_id, question](io::CancelScope scope) {
    return question.ask(explore, id, scope);
  };
  json key = {question.name, params.group_id};
  auto reply = co_await environment.search.explore_source().perform(std::move(key), request, call->scope);
  if (!reply.value) co_return explore_error(reply.value.error());
  co_return std::move(*reply.value);
}

mcp::Tool statement_tool(Environment& environment, const ToolInfo& info, StatementQuestion question) {
  mcp::Tool tool = describe_tool<StatementParams>(info, {});
  tool.handler = [&environment, question](std::shared_ptr<mcp::Call> call, nlohmann::json arguments) {
    const auto params = wire::read<StatementParams>(arguments);
    return ask_about_statement(environment, std::move(call), params, question);
  };
  return tool;
}

}  // namespace

mcp::Tool lean_explore_get_by_id(Environment& environment) {
  return statement_tool(environment,
                        {.name = "lean_explore_get_by_id",
                         .title = "LeanExplore: one statement",
                         .group = "search",
                         .description = "The full statement of a lean_explore_search result; {\"result\": "
                                        "null} if there is no such id.",
                         .annotations = kAsksLeanExplore,
                         .listed = false},
                        {"get_by_id", get_by_id});
}

mcp::Tool lean_explore_get_dependencies(Environment& environment) {
  return statement_tool(environment,
                        {.name = "lean_explore_get_dependencies",
                         .title = "LeanExplore: dependencies",
                         .group = "search",
                         .description = "Dependencies of a LeanExplore statement; {\"result\": null} if "
                                        "there is no such id.",
                         .annotations = kAsksLeanExplore,
                         .listed = false},
                        {"get_dependencies", get_dependencies});
}

}  // namespace leanbridge::tools
