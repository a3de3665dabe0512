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
  const char* query = nullptr;  ///< the description of its query; null: it takes the goal at a position
  std::size_t results = 0;      ///< default number of results
  bool listed = true;           ///< as mcp::Tool::listed
  bool has_versions = false;    ///< the caller may choose a version of Mathlib
  const char* local = "";       ///< the same service on this machine, without a limit, which is asked first
};

constexpr SearchService kLeanSearch = {
    .source = "leansearch",
    .tool = "lean_leansearch",
    .title = "LeanSearch",
    .description = "Finds Mathlib theorems by meaning with leansearch.net. lean_theorem_search includes it.",
    .query = "Prose or a Lean statement",
    .results = 5};

constexpr SearchService kLeanFinder = {
    .source = "leanfinder",
    .tool = "lean_leanfinder",
    .title = "Lean Finder",
    .description = "Finds Mathlib theorems for questions and proof states in words, with Lean Finder.",
    .query = "A concept, a question or a proof state",
    .results = 5,
    .has_versions = true};

constexpr SearchService kLoogle = {
    .source = "loogle",
    .tool = "lean_loogle",
    .title = "Loogle",
    .description =
        "Finds Mathlib theorems by statement shape with Loogle: Real.sin, \"comm\", "
        "(?a -> ?b) -> List ?a -> List ?b, |- _ < _.",
    .query = "Pattern, constant or \"name part\"",
    .results = 8,
    .local = "loogle_local"};

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
        "Names to pass to simp, aesop or grind for the first goal at a position, from Lean Hammer's server.",
    .results = 32};

/// The versions of Mathlib that Lean Finder offers.
enum class FinderVersion { Lean419, Lean424, Lean428 };
wire::Names<FinderVersion> names_of(FinderVersion) {
  return {{FinderVersion::Lean419, "v4.19.0"},
          {FinderVersion::Lean424, "v4.24.0"},
          {FinderVersion::Lean428, "v4.28.0"}};
}

struct ServiceQuery {
  std::string query;
  std::size_t num_results = 0;  ///< 0: the tool's default
  std::optional<FinderVersion> version;

  static wire::Fields fields() {
    return {wire::field<&ServiceQuery::query>(),
            wire::field<&ServiceQuery::num_results>().with_default().at_least(1),
            wire::field<&ServiceQuery::version>("Of Mathlib")};
  }
};

struct ServiceGoal {
  ExactPosition at;
  std::size_t num_results = 0;

  static wire::Fields fields() {
    return {wire::flatten<&ServiceGoal::at>(),
            wire::field<&ServiceGoal::num_results>().with_default().at_least(1)};
  }
};

template <const SearchService& service>
asio::awaitable<Result<SourceAnswer>> ask_service(SearchEnvironment& environment,
                                                  std::shared_ptr<mcp::Call> call, ServiceQuery params) {
  search::Question question;
  question.text = std::move(params.query);
  question.limit = params.num_results == 0 ? service.results : params.num_results;
  if (params.version) question.version = wire::name_of(*params.version);
  if (const auto own = environment.search.engine().source(service.local)) {
    auto reply = co_await own->ask(question, call->scope);
    if (reply.value)
      co_return shaped_for(service.source, {std::move(*reply.value), own->name(), reply.cached, {}, {}});
    if (!search::falls_back(reply.value.error()))
      co_return tl::unexpected(search::to_error(reply.value.error()));
  }
  CO_TRY(const auto answer, co_await ask_one(environment, call, service.source, std::move(question)));
  co_return shaped_for(service.source, answer);
}

template <const SearchService& service>
asio::awaitable<Result<SourceAnswer>> ask_about_goal(SearchEnvironment& environment,
                                                     std::shared_ptr<mcp::Call> call, ServiceGoal params) {
  CO_TRY(auto goal, co_await find_goal(environment, call, params.at.position()));
  co_return co_await ask_service<service>(environment, call, {std::move(goal.text), params.num_results, {}});
}

template <const SearchService& service>
mcp::Tool service_tool(SearchEnvironment& environment) {
  const ToolInfo info = {.name = service.tool,
                         .title = service.title,
                         .group = "search",
                         .description = service.description,
                         .annotations = {.open_world = true},
                         .listed = service.listed};
  mcp::Tool tool = service.query ? make_tool(environment, info, ask_service<service>)
                                 : make_tool(environment, info, ask_about_goal<service>);
  if constexpr (service.query != nullptr) {
    tool.arguments.front().description = service.query;
    if (!service.has_versions) {
      tool.arguments.pop_back();
      tool.defaults.erase("version");
    }
  }
  tool.defaults["num_results"] = service.results;
  return tool;
}

}  // namespace

mcp::Tool lean_leansearch(SearchEnvironment& environment) {
  return service_tool<kLeanSearch>(environment);
}
mcp::Tool lean_leanfinder(SearchEnvironment& environment) {
  return service_tool<kLeanFinder>(environment);
}
mcp::Tool lean_loogle(SearchEnvironment& environment) {
  return service_tool<kLoogle>(environment);
}
mcp::Tool lean_state_search(SearchEnvironment& environment) {
  return service_tool<kStateSearch>(environment);
}
mcp::Tool lean_hammer_premise(SearchEnvironment& environment) {
  return service_tool<kHammer>(environment);
}

}  // namespace leanbridge::tools
