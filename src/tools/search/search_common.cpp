#include "search_common.hpp"

#include "local_index.hpp"
#include "tools/common/goals.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

asio::awaitable<Result<std::string>> goal_text_at(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                  mcp::Arguments place) {
  const auto at = co_await open_place(environment, call, place, ColumnDefault::FirstNonBlank);
  if (!at) co_return tl::unexpected(at.error());
  const auto goals = co_await goals_at(at->file, at->offset, GoalFormat::Text, call->scope);
  if (!goals) co_return tl::unexpected(goals.error());
  if (goals->goals.empty())
    co_return fail(ErrorKind::InvalidArgument,
                   "There is no goal at line " + std::to_string(place.integer("line")) + ": " +
                       wire::name_of(goals->status()) + ".",
                   "Pass a place inside a proof, such as the beginning of a tactic.");
  co_return std::get<std::string>(goals->goals.front());
}

std::vector<mcp::Argument> goal_place(bool column_required) {
  mcp::Argument column = column_argument();
  column.required = column_required;
  return {file_argument(), line_argument(), std::move(column)};
}

mcp::Argument num_results_argument(int otherwise) {
  return mcp::Argument::optional_("num_results", mcp::ArgumentType::Integer,
                                  "Default " + std::to_string(otherwise))
      .at_least(1);
}

json in_shape_of(const std::string& source, const search::OneAnswer& answer) {
  json items = json::array();
  for (const search::Hit& hit : answer.found.hits) items.push_back(search::drop_in_item(source, hit));
  json result = {{"items", std::move(items)}, {"source", answer.source}, {"cached", answer.cached}};
  if (!answer.fallback_for.empty()) {
    result["fallback_for"] = answer.fallback_for;
    result["problem"] = answer.problem;
  }
  if (!answer.found.note.empty()) result["note"] = answer.found.note;
  if (!answer.found.suggestions.empty()) result["suggestions"] = answer.found.suggestions;
  return result;
}

Answer ask_one(Environment& environment, std::shared_ptr<mcp::Call> call, std::string source,
               search::Question question) {
  const auto root = index_root(environment, "");
  const std::filesystem::path project = root ? *root : std::filesystem::path();
  search::Query query = search::analyse(question.text);
  const auto answer = co_await environment.search.engine().ask(source, std::move(question), std::move(query),
                                                               project, call->scope);
  if (!answer) co_return tl::unexpected(search::to_error(answer.error()));
  co_return in_shape_of(source, *answer);
}

void answers_from_source(mcp::Tool& tool) {
  tool.group = "search";
  tool.output = {{"items", schema::list({})},
                 {"source", schema::string()},
                 {"cached", schema::boolean()},
                 {"fallback_for", schema::string()}};
  tool.always = {"items", "source", "cached"};
  tool.annotations.open_world = true;
}

}  // namespace leanbridge::tools
