// lean_theorem_search: asks all sources at once, merges and ranks the results, and verifies them with Lean on
// request.

#include "core/base/counted.hpp"
#include "lean_verification.hpp"
#include "proof_search.hpp"
#include "search_common.hpp"
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace leanbridge::tools {

namespace {

// The limit for a search. The engine answers earlier if the local index can answer, and leaves out slower
// sources.
constexpr auto kSearchLimit = std::chrono::seconds(12);

struct TheoremSearchParams {
  std::string query;
  std::vector<std::string> queries;  ///< other phrasings of the query
  std::optional<std::string> type_pattern;
  std::optional<FilePosition> goal_at;
  std::vector<std::string> sources;   ///< empty: all
  std::vector<std::string> packages;  ///< empty: all
  std::size_t limit = 8;
  bool verify = false;
  std::optional<std::string> verify_in;  ///< default: the file of `goal_at`, or the whole project

  static wire::Fields fields() {
    using Params = TheoremSearchParams;
    return {wire::field<&Params::query>().with_default(),
            wire::field<&Params::queries>("Up to 7").with_default(),
            wire::field<&Params::type_pattern>("?a + ?b = ?b + ?a"),
            wire::field<&Params::goal_at>("Place"),
            wire::field<&Params::sources>("Default: all").with_default(),
            wire::field<&Params::packages>("Mathlib, Init.Data").with_default(),
            wire::field<&Params::limit>().with_default().at_least(1),
            wire::field<&Params::verify>().with_default(),
            wire::field<&Params::verify_in>("File whose imports count")};
  }
};

struct TheoremLocation {
  std::string file_path;
  wire::Nullable<std::size_t> line;

  static wire::Fields fields() { return wire::fields<&TheoremLocation::file_path, &TheoremLocation::line>(); }
};

struct TheoremItem {
  std::string name;
  wire::Nullable<std::string> type;
  wire::Nullable<std::string> module;
  wire::Nullable<TheoremLocation> location;
  std::vector<std::string> sources;
  double confidence = 0;
  std::optional<std::string> kind;
  std::optional<std::string> docstring;
  std::optional<std::string> informal;
  std::optional<std::vector<std::size_t>> found_by;  ///< if there are several phrasings, those that found it;
                                                     ///< 1 is the query
  std::optional<std::string> score;                  ///< the parts of the local index's score
  std::optional<bool> type_is_printed;               ///< true if the type was not printed by Lean, else
                                                     ///< absent
  std::optional<bool> in_environment;                ///< if Lean was asked

  static wire::Fields fields() {
    return {wire::field<&TheoremItem::name>(),
            wire::field<&TheoremItem::type>().omit_empty(),
            wire::field<&TheoremItem::module>().omit_empty(),
            wire::field<&TheoremItem::kind>().omit_value("theorem"),
            wire::field<&TheoremItem::in_environment>(),
            wire::field<&TheoremItem::found_by>(),
            wire::field<&TheoremItem::location>().only_full(),
            wire::field<&TheoremItem::sources>().only_full(),
            wire::field<&TheoremItem::confidence>().only_full(),
            wire::field<&TheoremItem::docstring>().only_full(),
            wire::field<&TheoremItem::informal>().only_full(),
            wire::field<&TheoremItem::score>().unlisted().only_full(),
            wire::field<&TheoremItem::type_is_printed>().only_full()};
  }
};

/// One outcome of one source, for readers of the details.
struct SearchedSource {
  std::string source;
  std::string status;  ///< "ok", or a word of search::Failure
  std::size_t count = 0;
  double ms = 0;
  bool cached = false;
  std::optional<search::LocalForm> form;  ///< for the local index: the form of its question
  std::optional<std::string> fallback_for;
  std::optional<std::string> error;
  std::optional<std::vector<std::string>> suggestions;
  std::optional<std::string> note;

  static wire::Fields fields() {
    return wire::fields<&SearchedSource::source, &SearchedSource::status, &SearchedSource::count,
                        &SearchedSource::ms, &SearchedSource::cached, &SearchedSource::form,
                        &SearchedSource::fallback_for, &SearchedSource::error, &SearchedSource::suggestions,
                        &SearchedSource::note>();
  }
};

struct TheoremSearchResult {
  std::vector<TheoremItem> results;  ///< best first
  std::string searched;              ///< the sources on one line
  std::size_t total = 0;
  bool truncated = false;
  std::optional<std::string> try_this;                  ///< the proof that exact? suggests for the goal
  std::optional<std::string> note;                      ///< for the local index: the limits of its results
  std::optional<std::vector<std::string>> suggestions;  ///< queries that sources suggest instead
  bool verified = false;                                ///< not in the answer: the caller wants Lean's
                                                        ///< verdict
  std::optional<Verification> lean;
  std::string query_kind;                          ///< a word of search::QueryKind
  std::map<std::string, std::string> query_forms;  ///< the text that each source was asked
  std::vector<SearchedSource> sources;
  double processing_time_ms = 0;

  static wire::Fields fields() {
    using Result = TheoremSearchResult;
    return {wire::field<&Result::results>(),
            wire::field<&Result::searched>(),
            wire::field<&Result::total>().unlisted().only_if<&Result::truncated>(),
            wire::field<&Result::truncated>().unlisted().omit_empty(),
            wire::field<&Result::try_this>(),
            wire::field<&Result::note>(),
            wire::field<&Result::suggestions>(),
            wire::field<&Result::lean>().only_if<&Result::verified>(),
            wire::field<&Result::query_kind>().unlisted().only_full(),
            wire::field<&Result::query_forms>().unlisted().only_full(),
            wire::field<&Result::sources>().unlisted().only_full(),
            wire::field<&Result::processing_time_ms>().unlisted().only_full()};
  }
};

TheoremItem item_of(const search::Theorem& hit, const std::filesystem::path& root) {
  TheoremItem item;
  item.name = hit.name;
  item.type = null_if_empty(search::as_type(hit.signature));
  item.module = null_if_empty(hit.module);
  if (!hit.file.empty()) {
    TheoremLocation location;
    location.file_path = shown_path(hit.file, root);
    if (hit.line > 0) location.line = hit.line;
    item.location = std::move(location);
  }
  for (const auto& [source, rank] : hit.ranks) item.sources.push_back(source);
  item.confidence = std::round(hit.confidence * 1000) / 1000;
  item.kind = text_or_absent(hit.kind);
  item.docstring = text_or_absent(hit.docstring);
  item.informal = text_or_absent(hit.informal);
  item.score = text_or_absent(hit.why);
  if (hit.type_from == search::Trust::Printed) item.type_is_printed = true;
  item.in_environment = hit.in_environment;
  if (!hit.found_by.empty()) item.found_by = hit.found_by;
  return item;
}

SearchedSource item_of(const search::SourceReport& report) {
  SearchedSource item;
  item.source = report.source;
  item.status = report.failure ? wire::name_of(*report.failure) : "ok";
  item.count = report.count;
  item.ms = std::round(report.ms * 10) / 10;
  item.cached = report.cached;
  item.form = report.form;
  item.fallback_for = text_or_absent(report.fallback_for);
  item.error = text_or_absent(report.error);
  if (!report.suggestions.empty()) item.suggestions = report.suggestions;
  item.note = text_or_absent(report.note);
  return item;
}

constexpr std::size_t kMaxSuggestions = 5;

// The suggestions of all sources, each once.
std::vector<std::string> suggestions_of(const std::vector<search::SourceReport>& reports) {
  std::vector<std::string> all;
  for (const search::SourceReport& report : reports)
    for (const std::string& one : report.suggestions)
      if (all.size() < kMaxSuggestions && std::find(all.begin(), all.end(), one) == all.end())
        all.push_back(one);
  return all;
}

std::string proposal_of_lean(const std::vector<search::SourceReport>& reports) {
  for (const search::SourceReport& report : reports)
    if (report.source == search::kProofSearch) return report.note;
  return "";
}

// The notes of the index, each once.
std::string note_of_index(const std::vector<search::SourceReport>& reports) {
  std::string note;
  for (const search::SourceReport& report : reports) {
    if (report.source != search::kLocal || note.find(report.note) != std::string::npos) continue;
    note += (note.empty() ? "" : " ") + report.note;
  }
  return note;
}

constexpr std::size_t kMaxPhrasings = 8;

// The query, combined with the type pattern and the goal if given, and its other phrasings.
asio::awaitable<Result<std::vector<search::SearchRequest>>> read_requests(SearchEnvironment& environment,
                                                                          std::shared_ptr<mcp::Call> call,
                                                                          TheoremSearchParams params) {
  // If there are several phrasings, none of them need be called the query.
  if (params.query.empty() && !params.queries.empty() && !params.goal_at && !params.type_pattern) {
    params.query = std::move(params.queries.front());
    params.queries.erase(params.queries.begin());
  }
  if (params.queries.size() >= kMaxPhrasings)
    co_return fail(ErrorKind::InvalidArgument,
                   fmt::format("There are {} queries beside the first.", params.queries.size()),
                   fmt::format("Pass at most {} in 'queries'.", kMaxPhrasings - 1));
  search::SearchRequest request;
  request.query = search::analyse(params.query);
  if (params.goal_at) {
    CO_TRY(auto goal, co_await find_goal(environment, call, *params.goal_at));
    const search::Query of_goal = search::analyse(goal.text);
    request.excluded = std::move(goal.not_before);
    if (request.query.text.empty()) request.query = of_goal;
    if (!request.query.type) request.query.type = of_goal.type;
    request.goal = search::goal_form(of_goal);
  }
  if (params.type_pattern) {
    auto type = search::read_type_pattern(*params.type_pattern);
    if (!type)
      co_return fail(ErrorKind::InvalidArgument, "The type_pattern contains no constant or operator.",
                     "Pass a statement such as ?a + ?b = ?b + ?a, or |- _ < _.");
    request.query.type = std::move(type);
    request.query.type_filters = true;
  }
  if (request.query.text.empty() && !request.query.type)
    co_return fail(ErrorKind::InvalidArgument, "The query is empty.",
                   "Pass a name, words, a statement, or a goal with goal_at.");
  request.sources = std::move(params.sources);
  request.packages = std::move(params.packages);
  request.limit = params.limit;
  const auto root = index_root(environment, "");
  if (root) request.project = *root;
  if (params.goal_at)
    request.live.push_back(proof_search(environment, call, *params.goal_at, request.project));
  std::vector<search::SearchRequest> requests{request};
  for (const std::string& text : params.queries) {
    search::SearchRequest other = request;
    other.live.clear();
    other.goal.clear();
    other.query = search::analyse(text);
    if (!other.query.text.empty()) requests.push_back(std::move(other));
  }
  co_return requests;
}

asio::awaitable<Result<TheoremSearchResult>> theorem_search(SearchEnvironment& environment,
                                                            std::shared_ptr<mcp::Call> call,
                                                            TheoremSearchParams params) {
  const auto start = io::Clock::now();
  CO_TRY(auto requests, co_await read_requests(environment, call, params));
  LeanCheck check;
  check.verify = params.verify;
  check.project = requests.front().project;
  if (params.goal_at) check.file_path = params.goal_at->file_path;
  if (params.verify_in) check.file_path = *params.verify_in;
  const auto root = requests.front().project;
  TheoremSearchResult result;
  result.query_kind = wire::name_of(requests.front().query.kind);

  show_index_progress(environment, *call);
  CO_TRY(auto found, co_await environment.search.engine().search_all(std::move(requests),
                                                                     call->scope.with_timeout(kSearchLimit)));
  std::size_t unusable = 0;
  if (params.goal_at)
    unusable = co_await leave_out_unusable(environment, call, *params.goal_at, found.results);
  result.lean = co_await verify_with_lean(environment, call, found.results, std::move(check));

  for (const search::Theorem& theorem : found.results) result.results.push_back(item_of(theorem, root));
  for (const search::SourceReport& report : found.sources) result.sources.push_back(item_of(report));
  result.searched = search::searched_line(found.sources);
  result.try_this = text_or_absent(proposal_of_lean(found.sources));
  std::string note = note_of_index(found.sources);
  if (unusable > 0)
    note += (note.empty() ? "" : " ") + counted(unusable, "hit") + " that Lean cannot use here: left out.";
  result.note = text_or_absent(note);
  if (auto suggestions = suggestions_of(found.sources); !suggestions.empty())
    result.suggestions = std::move(suggestions);
  result.verified = params.verify;
  result.query_forms = std::move(found.forms);
  result.total = found.total - unusable;
  result.truncated = result.total > found.results.size();
  result.processing_time_ms =
      std::round(std::chrono::duration<double, std::milli>(io::Clock::now() - start).count() * 10) / 10;
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
