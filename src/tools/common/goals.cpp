#include "goals.hpp"

#include "leanbridge/base/json.hpp"
#include "leanbridge/lean/tagged_text.hpp"

namespace leanbridge::tools {

using nlohmann::json;

namespace {

std::string plain(const json& object, const char* member) {
  const auto found = object.find(member);
  return found == object.end() ? std::string() : lean::plain_text(*found);
}

Hypothesis structured_hypothesis(const json& from) {
  Hypothesis hypothesis;
  if (const auto names = from.find("names"); names != from.end() && names->is_array())
    for (const json& name : *names)
      if (name.is_string()) hypothesis.names.push_back(name.get<std::string>());
  hypothesis.type = plain(from, "type");
  hypothesis.is_instance = is_true(from, "isInstance");
  if (from.contains("val") && from["val"].is_object()) hypothesis.value = plain(from, "val");
  if (is_true(from, "isInserted")) hypothesis.is_inserted = true;
  if (is_true(from, "isRemoved")) hypothesis.is_removed = true;
  return hypothesis;
}

StructuredGoal structured_goal(const json& from) {
  StructuredGoal goal;
  if (const auto hyps = from.find("hyps"); hyps != from.end() && hyps->is_array())
    for (const json& hypothesis : *hyps)
      if (hypothesis.is_object()) goal.hyps.push_back(structured_hypothesis(hypothesis));
  goal.target = plain(from, "type");
  if (const auto name = from.find("userName"); name != from.end() && name->is_string())
    goal.user_name = name->get<std::string>();
  return goal;
}

}  // namespace

wire::Names<GoalFormat> names_of(GoalFormat) {
  return {{GoalFormat::Text, "text"}, {GoalFormat::Structured, "structured"}};
}

wire::Names<GoalStatus> names_of(GoalStatus) {
  return {{GoalStatus::Goals, "goals"},
          {GoalStatus::ClosedHere, "closed_here"},
          {GoalStatus::ProofComplete, "proof_complete"},
          {GoalStatus::Sorry, "sorry"},
          {GoalStatus::Error, "error"},
          {GoalStatus::NoGoalAtPosition, "no_goal_at_position"},
          {GoalStatus::StillElaborating, "still_elaborating"},
          {GoalStatus::Unknown, "unknown"}};
}

wire::Fields FormatParam::fields() {
  return {wire::field<&FormatParam::format>("format").with_default()};
}

wire::Fields Hypothesis::fields() {
  return {wire::field<&Hypothesis::names>("names"),
          wire::field<&Hypothesis::type>("type"),
          wire::field<&Hypothesis::is_instance>("is_instance").omit_empty(),
          wire::field<&Hypothesis::value>("value"),
          wire::field<&Hypothesis::is_inserted>("is_inserted"),
          wire::field<&Hypothesis::is_removed>("is_removed")};
}

wire::Fields StructuredGoal::fields() {
  return {wire::field<&StructuredGoal::hyps>("hyps"), wire::field<&StructuredGoal::target>("target"),
          wire::field<&StructuredGoal::user_name>("user_name")};
}

GoalStatus Goals::status() const {
  if (!in_proof) return GoalStatus::NoGoalAtPosition;
  return goals.empty() ? GoalStatus::ClosedHere : GoalStatus::Goals;
}

asio::awaitable<Result<Goals>> goals_at(document::DocumentHandle document, std::size_t offset,
                                        GoalFormat format, io::CancelScope scope) {
  const document::TextAnchor at = document.anchor(offset);
  const auto answer = format == GoalFormat::Text
                          ? co_await document.request_at("$/lean/plainGoal", at, scope)
                          : co_await document.rpc_request_at("Lean.Widget.getInteractiveGoals", at, scope);
  if (!answer) co_return tl::unexpected(answer.error());

  Goals goals;
  goals.offset = answer->offset;
  goals.version = answer->version;
  if (!answer->value.is_object()) co_return goals;
  const auto list = answer->value.find("goals");
  goals.in_proof = list != answer->value.end() && list->is_array();
  if (!goals.in_proof) co_return goals;
  for (const json& goal : *list) {
    if (goal.is_string())
      goals.goals.emplace_back(goal.get<std::string>());
    else if (format == GoalFormat::Structured)
      goals.goals.emplace_back(structured_goal(goal));
  }
  co_return goals;
}

}  // namespace leanbridge::tools
