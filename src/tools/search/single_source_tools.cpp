// The tools that ask one search service, as in lean-lsp-mcp.

#include "search_common.hpp"

namespace leanbridge::tools {

namespace {

/// A service and the tool that asks it.
struct SearchService {
  const char* source = "";  ///< its name in the engine
  const char* tool = "";
  const char* title = "";
  const char* description = "";
  const char* query = nullptr;  ///< description of its query; null: it takes the goal at a position
  std::size_t results = 0;      ///< default number of results
  bool listed = true;           ///< as mcp::Tool::listed
};

constexpr SearchService kLeanSearch = {
    .source = "leansearch",
    .tool = "lean_leansearch",
    .title = "LeanSearch",
    .description =
        "Finds Mathlib theorems by meaning with leansearch.net; lean_theorem_search "
        "includes it.",
    .query = "Prose or a Lean statement",
    .results = 5};

constexpr SearchService kLeanFinder = {
    .source = "leanfinder",
    .tool = "lean_leanfinder",
    .title = "Lean Finder",
    .description = "Finds Mathlib theorems for questions and proof states in words, with Lean Finder.",
    .query = "A concept, a question or a proof state",
    .results = 5};

constexpr SearchService kLoogle = {
    .source = "loogle",
    .tool = "lean_loogle",
    .title = "Loogle",
    .description =
        "Finds Mathlib theorems by statement shape with Loogle: Real.sin, \"comm\", "
        "(?a -> ?b) -> List ?a -> List ?b, |- _ < _.",
    .query = "Pattern, constant or \"name part\"",
    .results = 8};

constexpr SearchService kStateSearch = {
    .source = "state_search",
    .tool = "lean_state_search",
    .title = "State search",
    .description = "Theorems that may close the first goal at a position (premise-search.com).",
    .results = 5,
    .listed = false};

constexpr SearchService kHammer = {
    .source = "hammer",
    .tool = "lean_hammer_premise",
    .title = "Hammer premises",
    .description =
        "Names to pass to simp, aesop or grind for the first goal at a position, from Lean Hammer's "
        "server.",
    .results = 32};

/// The number of results to ask for.
template <const SearchService& service>
struct ResultCount {
  std::size_t num_results = service.results;

  static wire::Fields fields() {
    return {wire::field<&ResultCount::num_results>("num_results").with_default().at_least(1)};
  }
};

template <const SearchService& service>
struct ServiceQueryParams {
  std::string query;
  ResultCount<service> count;

  static wire::Fields fields() {
    return {wire::field<&ServiceQueryParams::query>("query", service.query),
            wire::flatten<&ServiceQueryParams::count>()};
  }
};

template <const SearchService& service>
struct ServiceGoalParams {
  ExactPosition at;
  ResultCount<service> count;

  static wire::Fields fields() {
    return {wire::flatten<&ServiceGoalParams::at>(), wire::flatten<&ServiceGoalParams::count>()};
  }
};

/// The versions of Mathlib that Lean Finder offers.
enum class FinderVersion { V4_19, V4_24, V4_28 };
wire::Names<FinderVersion> names_of(FinderVersion) {
  return {{FinderVersion::V4_19, "v4.19.0"},
          {FinderVersion::V4_24, "v4.24.0"},
          {FinderVersion::V4_28, "v4.28.0"}};
}

struct LeanFinderParams {
  ServiceQueryParams<kLeanFinder> query;
  std::optional<FinderVersion> version;

  static wire::Fields fields() {
    return {wire::flatten<&LeanFinderParams::query>(),
            wire::field<&LeanFinderParams::version>("version", "Of Mathlib")};
  }
};

template <const SearchService& service>
search::Question question_of(const ServiceQueryParams<service>& params) {
  search::Question question;
  question.text = params.query;
  question.limit = params.count.num_results;
  return question;
}

template <const SearchService& service>
asio::awaitable<Result<SourceAnswer>> ask_service(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                  ServiceQueryParams<service> params) {
  return ask_one(environment, std::move(call), service.source, question_of(params));
}

template <const SearchService& service>
asio::awaitable<Result<SourceAnswer>> ask_service_about_goal(Environment& environment,
                                                             std::shared_ptr<mcp::Call> call,
                                                             ServiceGoalParams<service> params) {
  search::Question question;
  CO_TRY(auto goal, co_await find_goal(environment, call, params.at.position()));
  question.text = std::move(goal.text);
  question.limit = params.count.num_results;
  co_return co_await ask_one(environment, call, service.source, std::move(question));
}

asio::awaitable<Result<SourceAnswer>> ask_lean_finder(Environment& environment,
                                                      std::shared_ptr<mcp::Call> call,
                                                      LeanFinderParams params) {
  search::Question question = question_of(params.query);
  if (params.version) question.version = wire::name_of(*params.version);
  return ask_one(environment, std::move(call), kLeanFinder.source, std::move(question));
}

// A local Loogle comes first: it knows the project's own library and has no rate limit.
asio::awaitable<Result<SourceAnswer>> ask_loogle(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                 ServiceQueryParams<kLoogle> params) {
  search::Question question = question_of(params);
  if (const auto own = environment.search.engine().source("loogle_local")) {
    auto reply = co_await own->ask(question, call->scope);
    if (reply.value) {
      search::OneAnswer answer;
      answer.found = std::move(*reply.value);
      answer.source = own->name();
      answer.cached = reply.cached;
      co_return shaped_for(kLoogle.source, answer);
    }
    if (!search::falls_back(reply.value.error()))
      co_return tl::unexpected(search::to_error(reply.value.error()));
  }
  co_return co_await ask_one(environment, call, kLoogle.source, std::move(question));
}

template <class Params>
mcp::Tool service_tool(Environment& environment, const SearchService& service,
                       Handler<Params, SourceAnswer> handler) {
  return make_tool(environment,
                   {.name = service.tool,
                    .title = service.title,
                    .group = "search",
                    .description = service.description,
                    .annotations = {.open_world = true},
                    .listed = service.listed},
                   handler);
}

}  // namespace

mcp::Tool lean_leansearch(Environment& environment) {
  return service_tool(environment, kLeanSearch, ask_service<kLeanSearch>);
}

mcp::Tool lean_leanfinder(Environment& environment) {
  return service_tool(environment, kLeanFinder, ask_lean_finder);
}

mcp::Tool lean_loogle(Environment& environment) {
  return service_tool(environment, kLoogle, ask_loogle);
}

mcp::Tool lean_state_search(Environment& environment) {
  return service_tool(environment, kStateSearch, ask_service_about_goal<kStateSearch>);
}

mcp::Tool lean_hammer_premise(Environment& environment) {
  return service_tool(environment, kHammer, ask_service_about_goal<kHammer>);
}

}  // namespace leanbridge::tools
