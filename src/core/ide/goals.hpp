#pragma once
/// Goals at a position, as text or structured.

#include "open_file.hpp"

#include <variant>

namespace leanbridge::ide {

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
  /// True or absent. `is_inserted` and `is_removed` compare with the goal before.
  std::optional<bool> is_instance, is_inserted, is_removed;

  /// Whether a tactic can name it: Lean marks inaccessible names with `✝`.
  bool can_be_named() const;

  static wire::Fields fields();
  friend bool operator==(const Hypothesis&, const Hypothesis&) = default;
};

/// A goal with the fields of lean-lsp-mcp, read from Lean's interactive goals instead of the text.
struct StructuredGoal {
  enum class Status { Open };
  std::vector<Hypothesis> context;  ///< one for each name
  std::string goal;                 ///< the statement to be proved
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

/// The state of a proof at a place: one closed set, which all tools use. Only ProofComplete says that
/// something is proved.
///
/// | status           | meaning                                                                              |
/// |------------------|--------------------------------------------------------------------------------------|
/// | Goals            | goals remain                                                                         |
/// | ClosedHere       | none is left here; the proof goes on below, or whether it is complete is not known    |
/// | ProofComplete    | none is left, and Lean accepted the whole declaration, without error and sorry        |
/// | Sorry            | none is left, but only thanks to a sorry                                             |
/// | Error            | the tactic here failed or did not run; at the end of a proof: there is an error in it |
/// | NoGoalAtPosition | there is no tactic proof here                                                        |
/// | StillElaborating | Lean was not done in time                                                            |
/// | Unknown          | there is no language server to ask                                                   |
enum class GoalStatus {
  Goals,
  ClosedHere,
  ProofComplete,
  Sorry,
  Error,
  NoGoalAtPosition,
  StillElaborating,
  Unknown
};
wire::Names<GoalStatus> names_of(GoalStatus);

/// The goals at a position.
struct Goals {
  bool in_proof = false;          ///< false: there is no tactic state here
  std::vector<Goal> goals;        ///< empty: none is left
  std::size_t offset = 0;         ///< the position in the text of `version`
  document::Version version = 0;  ///< the current version when Lean answered

  /// The status by the goals alone; goal_status.hpp finds the other values.
  GoalStatus status() const;
  bool none_left() const { return in_proof && goals.empty(); }
  GoalList list() const { return in_proof ? GoalList(goals) : GoalList(); }
};

/// Reads an element of the `goals` of Lean.Widget.InteractiveGoals.
StructuredGoal structured_goal(const nlohmann::json& interactive);

/// Asks for the goals at a place of a document. Errors: those of DocumentHandle::request_at().
asio::awaitable<Result<Goals>> goals_at(document::DocumentHandle document, document::TextAnchor at,
                                        GoalFormat format, io::CancelScope scope);
/// The goals at the end of a line. There is no tactic state behind the brackets that close the term around a
/// `by` block, so this asks in front of them.
asio::awaitable<Result<Goals>> goals_at_line_end(document::DocumentHandle document, document::TextAnchor at,
                                                 GoalFormat format, io::CancelScope scope);

/// The goals before the tactic that begins at a byte of the current text, or the goal of a term. Empty if
/// Lean does not answer in time.
asio::awaitable<std::vector<std::string>> goals_of_word(document::DocumentHandle document, std::size_t offset,
                                                        io::CancelScope scope);

}  // namespace leanbridge::ide
