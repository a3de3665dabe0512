// lean_theorem_search: asks all sources at once, merges and ranks the results, and verifies them with Lean on
// request.

#include "lean_verification.hpp"
#include "proof_search.hpp"
#include "search_common.hpp"

#include <cmath>
#include <map>

namespace leanbridge::tools {

namespace {

// The limit for a search. The engine answers earlier if the local index can answer, and leaves out slower
// sources.
constexpr auto kSearchLimit = std::chrono::seconds(12);

struct TheoremSearchParams {
  search::SearchQuestion asked;
  std::optional<FilePosition> goal_at;
  bool verify = false;
  std::optional<std::string> verify_in;  ///< default: the file of `goal_at`, or the whole project

  static wire::Fields fields() {
    using Params = TheoremSearchParams;
    return {wire::flatten<&Params::asked>(), wire::field<&Params::goal_at>("Place"),
            wire::field<&Params::verify>().with_default(),
            wire::field<&Params::verify_in>("File whose imports count")};
  }
};

struct TheoremSearchResult {
  search::ShownAnswer answer;
  bool verified = false;  ///< not in the answer: the caller wants Lean's verdict
  std::optional<Verification> lean;
  std::string query_kind;                          ///< a word of search::QueryKind
  std::map<std::string, std::string> query_forms;  ///< the text that each source was asked
  std::vector<search::SourceReport> sources;
  double processing_time_ms = 0;

  static wire::Fields fields() {
    using Result = TheoremSearchResult;
    return {wire::flatten<&Result::answer>(),
            wire::field<&Result::lean>().only_if<&Result::verified>(),
            wire::field<&Result::query_kind>().unlisted().only_full(),
            wire::field<&Result::query_forms>().unlisted().only_full(),
            wire::field<&Result::sources>().unlisted().only_full(),
            wire::field<&Result::processing_time_ms>().unlisted().only_full()};
  }
};

asio::awaitable<Result<TheoremSearchResult>> theorem_search(SearchEnvironment& environment,
                                                            std::shared_ptr<mcp::Call> call,
                                                            TheoremSearchParams params) {
  const auto start = io::Clock::now();
  std::optional<search::AskedGoal> goal;
  if (params.goal_at) {
    CO_TRY(goal, co_await find_goal(environment, call, *params.goal_at));
  }
  const std::filesystem::path root = index_root(environment.workspace, "").value_or(std::filesystem::path());
  CO_TRY(auto requests, search::requests_for(std::move(params.asked), std::move(goal), root));
  if (params.goal_at) requests.front().live.push_back(proof_search(environment, call, *params.goal_at, root));
  LeanCheck check;
  check.verify = params.verify;
  check.project = root;
  if (params.goal_at) check.file_path = params.goal_at->file_path;
  if (params.verify_in) check.file_path = *params.verify_in;
  TheoremSearchResult result;
  result.query_kind = wire::name_of(requests.front().query.kind);

  show_index_progress(environment, *call);
  CO_TRY(auto found, co_await environment.search.engine().search_all(std::move(requests),
                                                                     call->scope.with_timeout(kSearchLimit)));
  std::size_t unusable = 0;
  if (params.goal_at)
    unusable = co_await leave_out_unusable(environment, call, *params.goal_at, found.results);
  result.lean = co_await verify_with_lean(environment, call, found.results, std::move(check));

  result.answer = search::shown(found, root, unusable);
  result.query_forms = std::move(found.forms);
  result.sources = std::move(found.sources);
  result.verified = params.verify;
  result.processing_time_ms = std::round(search::ms_since(start) * 10) / 10;
  co_return result;
}

}  // namespace

mcp::Tool lean_theorem_search(SearchEnvironment& environment) {
  return make_tool(
      environment,
      {.name = "lean_theorem_search",
       .title = "Theorem search",
       .group = "search",
       .description = "Finds theorems in all sources. Start here: words, a statement (a + b = b + a), "
                      "type_pattern with ?holes, or a goal; other words and names in queries.",
       .annotations = {.open_world = true}},
      theorem_search);
}

}  // namespace leanbridge::tools
