// The tools of LeanExplore, in the shape of its own first MCP server.

#include "search_common.hpp"

namespace leanbridge::tools {

using nlohmann::json;

namespace {

constexpr mcp::Annotations kAsksLeanExplore = {.open_world = true};

// --- lean_explore_search

struct ExploreSearchParams {
  std::string query;
  std::vector<std::string> package_filters;  ///< empty: all
  std::size_t limit = 10;

  static wire::Fields fields() {
    return {wire::field<&ExploreSearchParams::query>("Prose or a name"),
            wire::field<&ExploreSearchParams::package_filters>("Mathlib.Analysis").with_default(),
            wire::field<&ExploreSearchParams::limit>().with_default().at_least(1)};
  }
};

struct ExploreSearchResult {
  std::string query;
  std::optional<std::vector<std::string>> packages_applied;  ///< nullopt: none were requested
  std::vector<json> results;                                 ///< LeanExplore's ResultItem
  std::size_t count = 0;
  std::size_t total_candidates_considered = 0;
  std::optional<std::string> source, fallback_for, problem;  ///< set if the index answers instead
  std::int64_t processing_time_ms = 0;

  static wire::Fields fields() {
    using Result = ExploreSearchResult;
    return wire::fields<&Result::query, &Result::packages_applied, &Result::results, &Result::count,
                        &Result::total_candidates_considered, &Result::source, &Result::fallback_for,
                        &Result::problem, &Result::processing_time_ms>();
  }
};

asio::awaitable<Result<ExploreSearchResult>> explore_search(SearchEnvironment& environment,
                                                            std::shared_ptr<mcp::Call> call,
                                                            ExploreSearchParams params) {
  const auto start = io::Clock::now();
  const std::string source = environment.search.explore_source().name();
  search::Question question{params.query, params.limit, params.package_filters, ""};
  CO_TRY(const auto answer, co_await ask_one(environment, call, source, std::move(question)));
  ExploreSearchResult result;
  result.query = std::move(params.query);
  result.packages_applied = absent_if_empty(std::move(params.package_filters));
  for (const search::Theorem& hit : answer.found.hits) result.results.push_back(search::to_result_item(hit));
  result.count = result.results.size();
  result.total_candidates_considered = answer.found.total.value_or(result.count);
  if (!answer.fallback_for.empty()) {
    result.source = answer.source;
    result.fallback_for = "leanexplore";
    result.problem = answer.problem;
  }
  result.processing_time_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(io::Clock::now() - start).count();
  co_return result;
}

}  // namespace

mcp::Tool lean_explore_search(SearchEnvironment& environment) {
  return make_tool(environment,
                   {.name = "lean_explore_search",
                    .title = "LeanExplore",
                    .group = "search",
                    .description = "Statements from LeanExplore by meaning or name. With an id from them: "
                                   "lean_explore_get_by_id, lean_explore_get_dependencies.",
                    .annotations = kAsksLeanExplore,
                    .listed = false},
                   explore_search);
}

// --- lean_explore_get_by_id and lean_explore_get_dependencies

namespace {

struct StatementParams {
  int group_id = 0;

  static wire::Fields fields() { return {wire::field<&StatementParams::group_id>("From the search result")}; }
};

struct StatementDependencies {
  int source_group_id = 0;
  std::vector<json> citations;  ///< LeanExplore's ResultItem
  std::size_t count = 0;

  static wire::Fields fields() {
    return wire::fields<&StatementDependencies::source_group_id, &StatementDependencies::citations,
                        &StatementDependencies::count>();
  }
};

/// The answer if there is no such id.
struct NoStatement {
  json result;  ///< null

  static wire::Fields fields() { return wire::fields<&NoStatement::result>(); }
};

/// A question about a statement, and its answer.
struct StatementQuestion {
  const char* name;  ///< in the cache's keys
  asio::awaitable<search::Outcome<search::Found>> (search::Explore::*ask)(std::int64_t id, io::CancelScope);
  json (*answer)(int id, const search::Found& found);
};

json statement(int, const search::Found& found) {
  return found.hits.empty() ? wire::write(NoStatement()) : search::to_result_item(found.hits.front());
}

json dependencies(int id, const search::Found& found) {
  if (!found.total) return wire::write(NoStatement());
  StatementDependencies answer;
  answer.source_group_id = id;
  for (const search::Theorem& hit : found.hits) answer.citations.push_back(search::to_result_item(hit));
  answer.count = answer.citations.size();
  return wire::write(answer);
}

asio::awaitable<Result<json>> ask_about_statement(SearchEnvironment& environment,
                                                  std::shared_ptr<mcp::Call> call, StatementParams params,
                                                  StatementQuestion question) {
  search::Explore* const explore = &environment.search.explore();
  const search::Request request = [explore, id = params.group_id, question](io::CancelScope scope) {
    return (explore->*question.ask)(id, std::move(scope));
  };
  json key = {question.name, params.group_id};
  const auto reply =
      co_await environment.search.explore_source().perform(std::move(key), request, call->scope);
  if (!reply.value) co_return tl::unexpected(search::to_error(reply.value.error()));
  co_return question.answer(params.group_id, *reply.value);
}

mcp::Tool statement_tool(SearchEnvironment& environment, const ToolInfo& info, StatementQuestion question) {
  mcp::Tool tool = describe_tool<StatementParams>(info, {});
  tool.handler = [&environment, question](std::shared_ptr<mcp::Call> call, nlohmann::json arguments) {
    const auto params = wire::read<StatementParams>(arguments);
    return ask_about_statement(environment, std::move(call), params, question);
  };
  return tool;
}

}  // namespace

mcp::Tool lean_explore_get_by_id(SearchEnvironment& environment) {
  return statement_tool(environment,
                        {.name = "lean_explore_get_by_id",
                         .title = "LeanExplore: one statement",
                         .group = "search",
                         .description = "The full statement of a search result of LeanExplore; {\"result\": "
                                        "null} if there is no such id.",
                         .annotations = kAsksLeanExplore,
                         .listed = false},
                        {"statement", &search::Explore::get_by_id, statement});
}

mcp::Tool lean_explore_get_dependencies(SearchEnvironment& environment) {
  return statement_tool(environment,
                        {.name = "lean_explore_get_dependencies",
                         .title = "LeanExplore: dependencies",
                         .group = "search",
                         .description = "Dependencies of a LeanExplore statement; {\"result\": null} if "
                                        "there is no such id.",
                         .annotations = kAsksLeanExplore,
                         .listed = false},
                        {"dependencies", &search::Explore::get_dependencies, dependencies});
}

}  // namespace leanbridge::tools
