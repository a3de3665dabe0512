#include "goals.hpp"

#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/lean/tagged_text.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace leanbridge::ide {

using nlohmann::json;

namespace {

std::string plain(const json& object, const char* member) {
  return lean::plain_text(leanbridge::member(object, member));
}

std::vector<std::string> names_of_hypothesis(const json& hypothesis) {
  std::vector<std::string> names;
  if (const json& found = member(hypothesis, "names"); found.is_array())
    for (const json& name : found)
      if (name.is_string()) names.push_back(name.get<std::string>());
  return names;
}

std::optional<bool> true_or_absent(const json& object, const char* member) {
  return is_true(object, member) ? std::optional(true) : std::nullopt;
}

// Prints a hypothesis as Lean does (Lean.Widget.InteractiveGoal.pretty), but on one line.
std::string pretty_hypothesis(const std::vector<std::string>& names, const Hypothesis& hypothesis) {
  std::string line;
  for (const std::string& name : names) line += name + " ";
  line += ": " + hypothesis.type;
  return hypothesis.value ? line + " := " + *hypothesis.value : line;
}

}  // namespace

StructuredGoal structured_goal(const json& from) {
  StructuredGoal goal;
  if (const json& name = member(from, "userName"); name.is_string()) goal.user_name = name.get<std::string>();
  if (goal.user_name) goal.pretty = "case " + *goal.user_name + "\n";
  for (const json& each : member(from, "hyps")) {
    if (!each.is_object()) continue;
    Hypothesis hypothesis;
    hypothesis.type = plain(each, "type");
    if (member(each, "val").is_object()) hypothesis.value = plain(each, "val");
    hypothesis.is_instance = true_or_absent(each, "isInstance");
    hypothesis.is_inserted = true_or_absent(each, "isInserted");
    hypothesis.is_removed = true_or_absent(each, "isRemoved");
    const std::vector<std::string> names = names_of_hypothesis(each);
    goal.pretty += pretty_hypothesis(names, hypothesis) + "\n";
    for (const std::string& name : names) {
      hypothesis.name = name;
      goal.context.push_back(hypothesis);
    }
  }
  goal.goal = plain(from, "type");
  const json& prefix = member(from, "goalPrefix");
  goal.pretty += (prefix.is_string() ? prefix.get<std::string>() : "⊢ ") + goal.goal;
  return goal;
}

wire::Names<StructuredGoal::Status> names_of(StructuredGoal::Status) {
  return {{StructuredGoal::Status::Open, "open"}};
}

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
  return {wire::field<&FormatParam::format>().with_default()};
}

bool Hypothesis::can_be_named() const {
  return !name.empty() && name.find("✝") == std::string::npos;
}

wire::Fields Hypothesis::fields() {
  return {wire::field<&Hypothesis::name>(),        wire::field<&Hypothesis::type>(),
          wire::field<&Hypothesis::value>(),       wire::field<&Hypothesis::is_instance>().omit_empty(),
          wire::field<&Hypothesis::is_inserted>(), wire::field<&Hypothesis::is_removed>()};
}

wire::Fields StructuredGoal::fields() {
  return wire::fields<&StructuredGoal::context, &StructuredGoal::goal, &StructuredGoal::status,
                      &StructuredGoal::pretty, &StructuredGoal::user_name>();
}

GoalStatus Goals::status() const {
  if (!in_proof) return GoalStatus::NoGoalAtPosition;
  return goals.empty() ? GoalStatus::ClosedHere : GoalStatus::Goals;
}

asio::awaitable<Result<Goals>> goals_at(document::DocumentHandle document, document::TextAnchor at,
                                        GoalFormat format, io::CancelScope scope) {
  CO_TRY(const auto answer,
         format == GoalFormat::Text
             ? co_await document.request_at("$/lean/plainGoal", at, scope)
             : co_await document.rpc_request_at("Lean.Widget.getInteractiveGoals", at, scope));

  Goals goals;
  goals.offset = answer.offset;
  goals.version = answer.version;
  const json& list = member(answer.value, "goals");
  goals.in_proof = list.is_array();
  if (!goals.in_proof) co_return goals;
  for (const json& goal : list) {
    if (goal.is_string())
      goals.goals.emplace_back(goal.get<std::string>());
    else if (format == GoalFormat::Structured)
      goals.goals.emplace_back(structured_goal(goal));
  }
  co_return goals;
}

namespace {

// The byte before the closing brackets in front of a place; nullopt: there are none.
std::optional<std::size_t> before_closing_brackets(std::string_view text, std::size_t offset) {
  constexpr std::array<std::string_view, 5> kClosing = {"⟩", ")", "]", "}", " "};
  std::string_view before = text.substr(0, offset);
  bool any = false;
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view bracket : kClosing)
      if (before.ends_with(bracket)) {
        before.remove_suffix(bracket.size());
        found = true;
        any = any || bracket != " ";
      }
  }
  return any ? std::optional(before.size()) : std::nullopt;
}

}  // namespace

asio::awaitable<Result<Goals>> goals_at_line_end(document::DocumentHandle document, document::TextAnchor at,
                                                 GoalFormat format, io::CancelScope scope) {
  auto goals = co_await goals_at(document, at, format, scope);
  if (!goals || goals->in_proof || document.state().version() != goals->version) co_return goals;
  const auto inside = before_closing_brackets(document.text().str(), goals->offset);
  if (!inside) co_return goals;
  auto within = co_await goals_at(document, document.anchor(*inside), format, scope);
  co_return within && within->in_proof ? within : goals;
}

asio::awaitable<std::vector<std::string>> goals_of_word(document::DocumentHandle document, std::size_t offset,
                                                        io::CancelScope scope) {
  std::vector<std::string> goals;
  const auto tactic = co_await document.request_at("$/lean/plainGoal", document.anchor(offset), scope);
  if (tactic)
    for (const json& goal : member(tactic->value, "goals"))
      if (goal.is_string()) goals.push_back(goal.get<std::string>());
  if (!goals.empty()) co_return goals;
  const auto term = co_await document.request_at("$/lean/plainTermGoal", document.anchor(offset), scope);
  if (term && member(term->value, "goal").is_string()) goals.push_back(text_member(term->value, "goal"));
  co_return goals;
}

}  // namespace leanbridge::ide
