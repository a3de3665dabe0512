#pragma once
/// Tries tactics at a position, in scratch documents. Private to this module.

#include "core/ide/goals.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <array>

namespace leanbridge::tools {

/// What a snippet does to the proof. Flattened.
struct AttemptVerdict {
  GoalStatus proof_status = GoalStatus::StillElaborating;  ///< in the block that the snippet belongs to
  std::optional<bool> progress;  ///< the goals are others than before; absent if it failed
  bool closes_goal = false;      ///< fewer goals are left than before, and not thanks to a sorry
  bool proof_complete = false;   ///< nothing in the declaration is open, wrong or a sorry
  bool uses_sorry = false;       ///< the snippet does, as far as its words or Lean tell
  std::optional<std::size_t> remaining_goals;        ///< absent if the snippet failed
  std::optional<std::array<int, 2>> replaces_lines;  ///< first and last, of the file; absent if it failed
  std::optional<std::string> reason;  ///< why the status is worse than Lean's messages say, or less certain

  static wire::Fields fields();
};

/// What Lean says about an attempt.
struct AttemptFacts {
  Goals before;
  Goals after;                    ///< in the block that the snippet belongs to
  Goals proof_after;              ///< in the whole proof; asked for if none is left in the block
  bool error_in_snippet = false;  ///< one that begins in it
  bool declaration_open = false;  ///< an error or a sorry anywhere in the declaration
  bool uses_sorry = false;
  /// Why Lean does not take the declaration, although no error begins in the snippet: the kernel rejects it,
  /// or Lean, though done, does not announce it.
  std::optional<std::string> rejected;
};

/// The goals that an attempt leaves: in the snippet's block or, if that has none, in the whole proof. Not in
/// a proof if the snippet failed: then there are none to speak of.
Goals goals_left(const AttemptFacts& facts);
/// The verdict, but for the lines.
AttemptVerdict verdict_of(const AttemptFacts& facts);

/// The result of one attempt.
struct Attempt {
  std::string snippet;
  bool timed_out = false;
  bool outside = false;   ///< tried, but there was no proof at the position
  bool rejected = false;  ///< see AttemptFacts
  std::string moved;      ///< a sentence, if it was tried elsewhere than asked
  AttemptVerdict verdict;
  Goals before;
  Goals after;                              ///< see goals_left()
  std::vector<DiagnosticItem> diagnostics;  ///< about the snippet only
};

/// Tries each snippet independently at `line` and `column`, in up to `parallel` scratch documents. Does not
/// touch the user's document, nor elaborate the rest of the file. A snippet that takes long is put last, so
/// that it delays no other; the last ones share the call's remaining time, and each is abandoned after
/// `limit`, if that is not io::kNoDeadline. Errors only if all attempts are affected: invalid position, Lean
/// unavailable, cancelled.
asio::awaitable<Result<std::vector<Attempt>>> run_attempts(Environment& environment,
                                                           std::shared_ptr<mcp::Call> call,
                                                           const OpenFile& file, int line,
                                                           std::optional<int> column,
                                                           std::vector<std::string> snippets,
                                                           std::size_t parallel, io::Clock::duration limit);

/// Shortens a list of an attempt to what is useful to an agent. True if it dropped something.
template <class T>
bool cap(std::vector<T>& list, std::size_t limit) {
  if (list.size() <= limit) return false;
  list.resize(limit);
  return true;
}
inline constexpr std::size_t kMaxGoals = 20;
inline constexpr std::size_t kMaxMessages = 50;

}  // namespace leanbridge::tools
