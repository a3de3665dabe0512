#include "goals.hpp"

namespace leanbridge::tools {

using nlohmann::json;

namespace {

// The leaves of TaggedText: {"text"} | {"append": [...]} | {"tag": [info, TaggedText]}.
void append_text(const json& tagged, std::string& out, int depth = 0) {
  if (depth > 400 || !tagged.is_object()) return;
  if (const auto text = tagged.find("text"); text != tagged.end() && text->is_string())
    out += text->get<std::string>();
  if (const auto parts = tagged.find("append"); parts != tagged.end() && parts->is_array())
    for (const json& part : *parts) append_text(part, out, depth + 1);
  if (const auto tag = tagged.find("tag"); tag != tagged.end() && tag->is_array() && tag->size() == 2)
    append_text((*tag)[1], out, depth + 1);
}

std::string plain(const json& object, const char* member) {
  std::string text;
  if (const auto found = object.find(member); found != object.end()) append_text(*found, text);
  return text;
}

bool flag(const json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

json structured_hypothesis(const json& hypothesis) {
  json result = {{"names", hypothesis.value("names", json::array())},
                 {"type", plain(hypothesis, "type")},
                 {"is_instance", flag(hypothesis, "isInstance")}};
  if (hypothesis.contains("val") && hypothesis["val"].is_object()) result["value"] = plain(hypothesis, "val");
  if (flag(hypothesis, "isInserted")) result["is_inserted"] = true;
  if (flag(hypothesis, "isRemoved")) result["is_removed"] = true;
  return result;
}

json structured_goal(const json& goal) {
  json hypotheses = json::array();
  if (const auto hyps = goal.find("hyps"); hyps != goal.end() && hyps->is_array())
    for (const json& hypothesis : *hyps)
      if (hypothesis.is_object()) hypotheses.push_back(structured_hypothesis(hypothesis));
  json result = {{"hyps", std::move(hypotheses)}, {"target", plain(goal, "type")}};
  if (const auto name = goal.find("userName"); name != goal.end() && name->is_string())
    result["user_name"] = *name;
  return result;
}

}  // namespace

GoalFormat goal_format(const mcp::Arguments& arguments) {
  return arguments.string("format", "text") == "structured" ? GoalFormat::Structured : GoalFormat::Text;
}

asio::awaitable<Result<Goals>> goals_at(const OpenFile& file, std::size_t offset, GoalFormat format,
                                        io::CancelScope scope) {
  return goals_in(file.table, file.share(), offset, format, scope);
}

asio::awaitable<Result<Goals>> goals_in(std::shared_ptr<document::DocumentStore> table,
                                        std::shared_ptr<document::Document> document, std::size_t offset,
                                        GoalFormat format, io::CancelScope scope) {
  const document::Version version = document->state.version();
  Result<document::PlacedAnswer> answer = fail(ErrorKind::Internal, "not asked");
  if (format == GoalFormat::Text)
    answer = co_await document::request_at(table, document, "$/lean/plainGoal", offset, version, {}, scope);
  else
    answer = co_await document::rpc_request_at(table, document, "Lean.Widget.getInteractiveGoals", offset,
                                               version, scope);
  if (!answer) co_return tl::unexpected(answer.error());

  Goals goals;
  goals.offset = answer->offset;
  goals.version = answer->version;
  if (!answer->value.is_object()) co_return goals;
  const auto list = answer->value.find("goals");
  goals.in_proof = list != answer->value.end() && list->is_array();
  if (!goals.in_proof) co_return goals;
  for (const json& goal : *list)
    goals.goals.push_back(format == GoalFormat::Text ? goal : structured_goal(goal));
  co_return goals;
}

const char* goal_status(const Goals& goals) {
  if (!goals.in_proof) return "no_goal_at_position";
  return goals.goals.empty() ? "complete" : "goals";
}

json goals_json(const Goals& goals) {
  return goals.in_proof ? goals.goals : json(nullptr);
}

json goals_schema() {
  return mcp::schema::nullable(mcp::schema::list({}));
}

}  // namespace leanbridge::tools
