#pragma once
/// Finds the GoalStatus of a place. Lean's goals alone do not tell it: no goal is left below a sorry, after a
/// term that did not type-check, and throughout a `cases` that failed. Lean's messages about the declaration
/// tell these apart.

#include "core/text/proof_part.hpp"
#include "goals.hpp"
#include "messages.hpp"

#include <optional>
#include <string>

namespace leanbridge::ide {

/// Lean's message about an error in a proof.
struct ProofError {
  int line = 1;  ///< where it begins
  int column = 1;
  std::string message;

  static wire::Fields fields();
  friend bool operator==(const ProofError&, const ProofError&) = default;
};

/// A status and its explanation. Flattened.
struct PlaceStatus {
  GoalStatus status = GoalStatus::StillElaborating;
  std::optional<ProofError> error;    ///< with Error
  std::optional<std::string> reason;  ///< with Sorry: where; with ClosedHere: why not ProofComplete

  static wire::Fields fields();
};

/// Lean's report about a place and the declaration around it.
struct PlaceFacts {
  text::ProofPart part;
  bool in_proof = false;    ///< Lean has a tactic state there
  bool goals_left = false;  ///< at the end of the part
  bool ran = true;          ///< the part's first tactic had a goal to work on
  /// All messages about the declaration are known, including those that come last.
  bool declaration_reported = false;
  /// Why the messages are no evidence: a silencer may keep Lean from reporting a sorry.
  std::optional<std::string> silencer = std::nullopt;
  /// The compiled file has no sorry in the declaration.
  bool compiled = false;
};

/// The status of a place. Only messages about the declaration count.
PlaceStatus status_of_place(const Messages& messages, const PlaceFacts& facts);

/// Whether Lean has announced the declaration in these bytes as proved, and reported no sorry in it. A sorry
/// in its text then never ran, unless a silencer is present.
bool is_announced(const Messages& messages, std::size_t begin, std::size_t end);
/// The first error, other than goals left unsolved, that begins in the range of bytes.
std::optional<ProofError> error_between(const Messages& messages, std::size_t begin, std::size_t end);
/// The error about goals left unsolved in a block that contains `inside` and ends in (inside, end].
std::optional<ProofError> unsolved_block(const Messages& messages, std::size_t inside, std::size_t end);

/// Waits until the messages about a range of bytes are known, but no longer than they usually take once Lean
/// has answered about its goals, nor beyond the scope's deadline. False: they are not known.
asio::awaitable<Result<bool>> messages_known(document::DocumentHandle document, std::size_t begin,
                                             std::size_t end, io::CancelScope scope);

/// The status of a place, and how complete that is.
struct JudgedPlace {
  PlaceStatus status;
  Completeness completeness = Completeness::Complete;
  /// The goals that Lean shows are states inside of the last tactic, which has closed them.
  bool inner_goals = false;
};

/// Judges the line [from, to), or the position if both are the same, where Lean has just reported `goals` at
/// `to`. Waits until the messages about the place are known, and those about the whole declaration if no
/// tactic of it follows and no goal is left. While goals are left it hardly waits: Partial if it is not known
/// whether the tactic failed. The result is invalid if the text changes meanwhile. Errors: Cancelled,
/// WorkerCrashed.
asio::awaitable<Result<JudgedPlace>> judge_place(Lean& lean, const OpenFile& file, std::size_t from,
                                                 std::size_t to, const Goals& goals, io::CancelScope scope);

/// The places whose goals are read. Anchors move with their lines if the text changes meanwhile.
struct GoalQuestion {
  document::TextAnchor at;
  std::optional<document::TextAnchor> line_end = {};  ///< the end of the line, where its tactic has run
  std::optional<document::TextAnchor> known = {};     ///< the place whose goals the client has
  GoalFormat format = GoalFormat::Text;
};

/// Lean's answers about one text.
struct GoalReading {
  std::optional<Goals> known, here, line_end;
  JudgedPlace judged;  ///< of the line, if its end is asked about
};

/// Reads until no edit came in between. If time runs out, keeps the answers about the current text. Errors:
/// those of goals_at() and judge_place(), except Timeout.
asio::awaitable<Result<GoalReading>> read_goals(Lean& lean, const OpenFile& file, GoalQuestion question,
                                                io::CancelScope scope);

}  // namespace leanbridge::ide
