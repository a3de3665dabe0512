#pragma once
/// Tries tactics at a position, in scratch documents. Private to this module.

#include "core/ide/goals.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <array>

namespace leanbridge::tools {

/// The effect of a snippet on the proof. Flattened.
struct AttemptVerdict {
  GoalStatus proof_status = GoalStatus::StillElaborating;  ///< in the snippet's block
  std::optional<bool> progress;  ///< the goals differ from those before; absent if it failed
  bool closes_goal = false;      ///< fewer goals are left than before, and no sorry is the reason
  bool proof_complete = false;   ///< the declaration has no goal left, no error and no sorry
  bool uses_sorry = false;       ///< as far as its words or Lean's messages tell
  std::optional<std::size_t> remaining_goals;        ///< absent if the snippet failed
  std::optional<std::array<int, 2>> replaces_lines;  ///< first and last line of the file; absent if it failed
  std::optional<std::string> reason;  ///< why the status is worse or less certain than Lean's messages say

  static wire::Fields fields();
};

/// Lean's report about an attempt.
struct AttemptFacts {
  Goals before;
  Goals after;                    ///< in the snippet's block
  Goals proof_after;              ///< in the whole proof; requested only if the block has no goals left
  bool error_in_snippet = false;  ///< an error begins in the snippet
  bool declaration_open = false;  ///< there is an error or a sorry anywhere in the declaration
  bool uses_sorry = false;
  /// Why Lean does not accept the declaration, although no error begins in the snippet: the kernel rejects
  /// it, or Lean, though done, does not announce it.
  std::optional<std::string> rejected;
};

/// The goals that an attempt leaves: in the snippet's block or, if that has none, in the whole proof. Not in
/// a proof if the snippet failed.
Goals goals_left(const AttemptFacts& facts);
/// The verdict, except for replaces_lines.
AttemptVerdict verdict_of(const AttemptFacts& facts);

/// A sorry that a snippet leaves.
struct OpenSorry {
  int line = 1;                    ///< of the snippet, from 1
  std::vector<std::string> goals;  ///< there

  static wire::Fields fields();
};

/// The result of one attempt.
struct Attempt {
  std::string snippet;
  std::string tried_as;  ///< the text that was tried; "": the snippet
  std::vector<OpenSorry> sorries;
  bool timed_out = false;
  bool outside = false;   ///< it was tried, but there is no proof at the position
  bool rejected = false;  ///< see AttemptFacts
  std::string moved;      ///< a sentence, if it was tried at another place than requested
  AttemptVerdict verdict;
  std::string old_lines, new_lines;  ///< of replaces_lines, without and with the snippet
  Goals before;
  Goals after;                              ///< see goals_left()
  std::vector<DiagnosticItem> diagnostics;  ///< about the snippet only
};

/// Tries each snippet independently at `line` and `column`, in up to `parallel` scratch documents. Neither
/// touches the user's document nor elaborates the rest of the file. A slow snippet moves to the end of the
/// queue, so that it delays no other. The last ones share the call's remaining time, and each is abandoned
/// after `limit`, unless that is io::kNoDeadline. Errors only if all attempts are affected: invalid position,
/// Lean unavailable, cancelled.
asio::awaitable<Result<std::vector<Attempt>>> run_attempts(Environment& environment,
                                                           std::shared_ptr<mcp::Call> call,
                                                           const OpenFile& file, int line,
                                                           std::optional<int> column,
                                                           std::vector<std::string> snippets,
                                                           std::size_t parallel, io::Clock::duration limit);

/// Shortens a list of an attempt to the part that is useful to an agent. Returns true if it dropped
/// something.
template <class T>
bool cap(std::vector<T>& list, std::size_t limit) {
  if (list.size() <= limit) return false;
  list.resize(limit);
  return true;
}
inline constexpr std::size_t kMaxGoals = 20;
inline constexpr std::size_t kMaxMessages = 50;

}  // namespace leanbridge::tools
