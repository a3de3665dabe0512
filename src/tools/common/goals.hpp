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
  std::vector<std::string> names;
  std::string type;
  bool is_instance = false;
  std::optional<std::string> value;             ///< of a `let`
  std::optional<bool> is_inserted, is_removed;  ///< true or absent; relative to the goal before

  static wire::Fields fields();
  friend bool operator==(const Hypothesis&, const Hypothesis&) = default;
};

struct StructuredGoal {
  std::vector<Hypothesis> hyps;
  std::string target;
  std::optional<std::string> user_name;  ///< its case tag

  static wire::Fields fields();
  friend bool operator==(const StructuredGoal&, const StructuredGoal&) = default;
};

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

/// Asks for the goals at a byte offset of a document's current text. Errors: those of
/// DocumentHandle::request_at().
asio::awaitable<Result<Goals>> goals_at(document::DocumentHandle document, std::size_t offset,
                                        GoalFormat format, io::CancelScope scope);

}  // namespace leanbridge::tools
