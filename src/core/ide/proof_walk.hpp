#pragma once
/// A walk over the places of a proof where tactics begin.

#include "core/text/tactic_places.hpp"
#include "goal_status.hpp"

#include <map>

namespace leanbridge::ide {

/// Where a walk starts if a caller points at a byte: a comment has no tactic, so behind the comment around
/// it.
std::size_t behind_comment(std::string_view source, std::size_t offset);

/// The result of a walk of some steps.
struct WalkReport {
  GoalList goals_before;  ///< before the last tactic that was passed, or failed
  GoalList goals;         ///< where the walk ended
  PlaceStatus place;      ///< there; Error if the last tactic failed
  bool at_last = false;   ///< the proof has no further place; forward: and no goal is left
  /// Partial: Lean has not said everything about the tactics passed, or the last step was given up.
  Completeness completeness = Completeness::TimedOut;
};

/// Enters a proof from outside, but never leaves one. Each answer is about one text: an edit meanwhile moves
/// the walk with its text, and the question is asked again. Keep it and the file alive until each of its
/// coroutines ends, and await one at a time. Errors: Timeout, Cancelled, WorkerCrashed, LeanUnavailable.
class ProofWalk {
 public:
  enum class Direction { Forward, Backward };

  /// Where a step led: to another place; nowhere, because the proof has none; nowhere, because the tactic at
  /// the walk's place fails; or out of a block that leaves goals unsolved.
  enum class StepEnd { Moved, NoPlace, Failed, MovedUnsolved };

  ProofWalk(Lean& lean, const OpenFile& file, std::size_t offset, Direction direction, io::CancelScope scope);

  /// Moves to the next place that Lean accepts, unless the tactic that it would pass fails.
  asio::awaitable<Result<StepEnd>> step();
  /// Whether the proof has no further place in this direction.
  asio::awaitable<Result<bool>> at_end_of_proof();
  /// The goals at the place.
  asio::awaitable<Result<Goals>> goals();
  /// The status of the place; after a step that failed, its failure.
  asio::awaitable<Result<JudgedPlace>> judge();

  /// All of these: up to `count` steps, until one does not succeed. Fills in the report as far as it comes
  /// before an error such as Timeout.
  asio::awaitable<Result<void>> take_steps(int count, WalkReport& report);

  const OpenFile& file() const { return file_; }
  std::size_t at() const { return at_.offset; }
  std::string passed() const;  ///< the text between the start and the place; what failed, too

 private:
  template <class T>
  using Pass = asio::awaitable<Result<T>> (ProofWalk::*)();
  template <class T>
  asio::awaitable<Result<T>> on_one_text(Pass<T> pass);

  // Passes over one text. Once it has changed they may end with any error.
  asio::awaitable<Result<StepEnd>> step_once();
  asio::awaitable<Result<bool>> look_for_end();
  asio::awaitable<Result<Goals>> goals_here();
  asio::awaitable<Result<JudgedPlace>> judge_here();

  asio::awaitable<Result<Goals>> ask(std::size_t offset);
  asio::awaitable<Result<bool>> accepts(text::TacticPlace place);
  asio::awaitable<Result<StepEnd>> pass_tactic(text::TacticPlace place);
  asio::awaitable<Result<StepEnd>> without_place();

  void take_text();
  Result<void> same_text() const;
  const text::TacticPlace* before(std::size_t offset) const;
  const text::TacticPlace* after(std::size_t offset) const;
  const text::TacticPlace* next(std::size_t offset) const;  ///< in this direction and proof
  const text::TacticPlace* here() const;                    ///< the place that the walk is at
  std::optional<std::size_t> proof_here() const;            ///< that the walk is in

  Lean& lean_;
  const OpenFile& file_;
  const io::CancelScope scope_;
  const Direction direction_;
  document::TextAnchor from_;
  document::TextAnchor at_;
  document::Version version_ = 0;  // of the text that the following are of
  std::string text_;
  std::vector<text::TacticPlace> places_;
  std::map<std::size_t, Goals> known_;  // by offset
  int requests_ = 0;                    // in this step
  bool gave_up_ = false;                // Lean accepted too few of the last step's places
  bool all_known_ = true;               // Lean has said everything about the tactics passed
  std::optional<ProofError> failure_;   // of the last step
  std::size_t failed_until_ = 0;        // the end of the tactic that failed; 0: none did
};

}  // namespace leanbridge::ide
