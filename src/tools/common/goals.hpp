#pragma once
/// Goals at a position, as text or structured. Private to this module.

#include "open_file.hpp"

#include <variant>

namespace leanbridge::tools {

enum class GoalFormat { Text, Structured };
wire::Names<GoalFormat> names_of(GoalFormat);

/// The parameter `format`.
struct FormatParam {
  GoalFormat format = GoalFormat::Text;

  static wire::Fields fields();
};

struct Hypothesis {
  std::string name;
  std::string type;
  std::optional<std::string> value;  ///< of a `let`
  /// True or absent; the last two relative to the goal before.
  std::optional<bool> is_instance, is_inserted, is_removed;

  static wire::Fields fields();
  friend bool operator==(const Hypothesis&, const Hypothesis&) = default;
};

/// With the fields of lean-lsp-mcp, from Lean's interactive goals instead of the text.
struct StructuredGoal {
  enum class Status { Open };
  std::vector<Hypothesis> context;  ///< one for each name
  std::string goal;                 ///< what is to be proved
  Status status = Status::Open;
  std::string pretty;                    ///< the whole as text
  std::optional<std::string> user_name;  ///< its case tag

  static wire::Fields fields();
  friend bool operator==(const StructuredGoal&, const StructuredGoal&) = default;
};

wire::Names<StructuredGoal::Status> names_of(StructuredGoal::Status);

/// Lean's own text, or structured.
using Goal = std::variant<std::string, StructuredGoal>;
/// null: there is no tactic state.
using GoalList = wire::Nullable<std::vector<Goal>>;

enum class GoalStatus { Goals, Complete, NoGoalAtPosition, StillElaborating, Unknown };
wire::Names<GoalStatus> names_of(GoalStatus);

/// The state of the proof at a position.
struct Goals {
  bool in_proof = false;          ///< false: there is no tactic state here
  std::vector<Goal> goals;        ///< empty: none is left
  std::size_t offset = 0;         ///< the position in the text of `version`
  document::Version version = 0;  ///< the current version when Lean answered

  GoalStatus status() const;
  GoalList list() const { return in_proof ? GoalList(goals) : GoalList(); }
};

/// Reads an element of the `goals` of Lean.Widget.InteractiveGoals.
StructuredGoal structured_goal(const nlohmann::json& interactive);

/// Asks for the goals at a byte offset of a document's current text. Errors: those of
/// DocumentHandle::request_at().
asio::awaitable<Result<Goals>> goals_at(document::DocumentHandle document, std::size_t offset,
                                        GoalFormat format, io::CancelScope scope);

}  // namespace leanbridge::tools
