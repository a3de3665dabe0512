// lean_theorem_search: every source at once, joined, ranked, and checked with Lean on request.

#include "lean_verification.hpp"
#include "local_index.hpp"
#include "search_common.hpp"

#include <cmath>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr int kTheorems = 20;
constexpr auto kSearchLimit = std::chrono::seconds(12);  // whoever has not answered then is left out

json location_of(const search::Hit& hit, const std::filesystem::path& root) {
  if (hit.file.empty()) return json();
  return {{"file_path", shown_path(hit.file, root)}, {"line", hit.line > 0 ? json(hit.line) : json()}};
}

json or_null(const std::string& text) {
  return text.empty() ? json() : json(text);
}

json to_json(const search::Theorem& theorem, const std::filesystem::path& root) {
  const search::Hit& hit = theorem.hit;
  json sources = json::array();
  for (const auto& [source, rank] : theorem.ranks) sources.push_back(source);
  json result = {{"name", hit.name},
                 {"type", or_null(hit.type)},
                 {"module", or_null(hit.module)},
                 {"location", location_of(hit, root)},
                 {"sources", std::move(sources)},
                 {"confidence", std::round(theorem.confidence * 1000) / 1000}};
  if (!hit.kind.empty()) result["kind"] = hit.kind;
  if (!hit.docstring.empty()) result["docstring"] = hit.docstring;
  if (!hit.informal.empty()) result["informal"] = hit.informal;
  if (theorem.type_from == search::Trust::Printed) result["type_is_printed"] = true;
  if (theorem.in_environment) result["in_environment"] = *theorem.in_environment;
  return result;
}

json to_json(const search::SourceReport& report) {
  json result = {{"source", report.source},
                 {"status", report.status},
                 {"count", report.count},
                 {"ms", std::round(report.ms * 10) / 10},
                 {"cached", report.cached}};
  if (!report.fallback_for.empty()) result["fallback_for"] = report.fallback_for;
  if (!report.error.empty()) result["error"] = report.error;
  if (!report.suggestions.empty()) result["suggestions"] = report.suggestions;
  if (!report.note.empty()) result["note"] = report.note;
  return result;
}

// The query, with the type that is given besides and the goal that it is asked for.
asio::awaitable<Result<search::SearchRequest>> read_request(Environment& environment,
                                                            std::shared_ptr<mcp::Call> call,
                                                            mcp::Arguments arguments) {
  search::SearchRequest request;
  const std::string text = arguments.string("query");
  request.query = search::analyse(text);
  if (arguments.has("goal_at")) {
    auto goal = co_await goal_text_at(environment, call, arguments.object("goal_at"));
    if (!goal) co_return tl::unexpected(goal.error());
    const search::Query of_goal = search::analyse(*goal);
    if (request.query.text.empty()) request.query = of_goal;
    if (!request.query.type) request.query.type = of_goal.type;
    request.goal = search::goal_form(of_goal);
  }
  if (arguments.has("type_pattern")) {
    auto type = search::read_type_pattern(arguments.string("type_pattern"));
    if (!type)
      co_return fail(ErrorKind::InvalidArgument, "The type_pattern names no constant or operator.",
                     "Pass a statement such as ?a + ?b = ?b + ?a, or |- _ < _.");
    request.query.type = std::move(type);
  }
  if (request.query.text.empty() && !request.query.type)
    co_return fail(ErrorKind::InvalidArgument, "The query is empty.",
                   "Pass a name, words, a statement, or a goal with goal_at.");
  request.sources = arguments.strings("sources");
  request.packages = arguments.strings("packages");
  request.limit = static_cast<std::size_t>(arguments.integer("limit", kTheorems));
  const auto root = index_root(environment, "");
  if (root) request.project = *root;
  co_return request;
}

Answer answer_theorem_search(Environment& environment, std::shared_ptr<mcp::Call> call,
                             mcp::Arguments arguments) {
  const auto start = io::Clock::now();
  auto request = co_await read_request(environment, call, arguments);
  if (!request) co_return tl::unexpected(request.error());
  LeanCheck check;
  check.verify = arguments.boolean("verify", false);
  check.project = request->project;
  if (arguments.has("goal_at")) check.file_path = arguments.object("goal_at").string("file_path");
  check.file_path = arguments.string("verify_in", check.file_path);
  const auto root = request->project;
  const std::string kind(search::wire_name(request->query.kind));

  show_index_progress(environment, *call);
  auto found = co_await environment.search.engine().search(std::move(*request),
                                                           call->scope.with_timeout(kSearchLimit));
  if (!found) co_return tl::unexpected(found.error());
  json lean = co_await verify_with_lean(environment, call, found->results, std::move(check));

  json results = json::array(), sources = json::array();
  for (const search::Theorem& theorem : found->results) results.push_back(to_json(theorem, root));
  for (const search::SourceReport& report : found->sources) sources.push_back(to_json(report));
  json result = {{"query_kind", kind},
                 {"query_forms", found->forms},
                 {"results", std::move(results)},
                 {"sources", std::move(sources)},
                 {"total", found->total},
                 {"truncated", found->total > found->results.size()}};
  if (!lean.is_null()) result["lean"] = std::move(lean);
  result["processing_time_ms"] =
      std::round(std::chrono::duration<double, std::milli>(io::Clock::now() - start).count() * 10) / 10;
  co_return result;
}

}  // namespace

mcp::Tool lean_theorem_search(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_theorem_search";
  tool.title = "Theorem search";
  tool.group = "search";
  tool.description =
      "Theorems by name, words, statement (a + b = b + a) or goal, from all sources at once, best first. Use "
      "it before "
      "proving a lemma yourself; with verify Lean says which exist in the project.";
  tool.arguments = {
      Argument::required_("query", ArgumentType::String, "Name, words, or a statement"),
      Argument::optional_("type_pattern", ArgumentType::String, "Such as ?a + ?b = ?b + ?a"),
      Argument::optional_("goal_at", ArgumentType::Object, "A goal's place").with(goal_place(false)),
      Argument::optional_("sources", ArgumentType::StringList, "Default: all"),
      Argument::optional_("packages", ArgumentType::StringList, "Mathlib, Init.Data"),
      Argument::optional_("limit", ArgumentType::Integer, "Default 20").at_least(1),
      Argument::optional_("verify", ArgumentType::Boolean, "Ask Lean"),
      Argument::optional_("verify_in", ArgumentType::String, "A file whose imports count")};
  tool.output = {{"results", schema::list({})},
                 {"sources", schema::list({})},
                 {"query_forms", schema::object({})},
                 {"processing_time_ms", schema::number()}};
  tool.always = {"results", "sources", "query_forms", "processing_time_ms"};
  tool.annotations.open_world = true;
  tool.handler = bind_handler(environment, answer_theorem_search);
  return tool;
}

}  // namespace leanbridge::tools
