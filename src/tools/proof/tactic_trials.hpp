#pragma once
/// Tries tactics at a position, in scratch documents. Private to this module.

#include "tools/common/goals.hpp"

namespace leanbridge::tools {

/// Unknown: complete according to Lean's messages, but they may hide a sorry.
enum class ProofStatus { Complete, Progress, NoProgress, Error, Unknown };
wire::Names<ProofStatus> names_of(ProofStatus);

/// The result of one attempt.
struct Attempt {
  std::string snippet;
  bool timed_out = false;
  ProofStatus status = ProofStatus::Error;
  Goals before;
  Goals after;
  std::vector<DiagnosticItem> diagnostics;  ///< about the snippet only
  std::string reason;                       ///< for agents: why the status is worse than Lean's messages say
};

/// Tries each snippet independently at `line` and `column`, in up to `parallel` scratch documents. Does not
/// touch the user's document, nor elaborate the rest of the file. A snippet that takes long is put last, so
/// that it delays no other; the last ones share the call's remaining time, and each is abandoned after
/// `limit`. Errors only if all attempts are affected: invalid position, Lean unavailable, cancelled.
asio::awaitable<Result<std::vector<Attempt>>> run_attempts(Environment& environment,
                                                           std::shared_ptr<mcp::Call> call,
                                                           const OpenFile& file, int line,
                                                           std::optional<int> column,
                                                           std::vector<std::string> snippets,
                                                           std::size_t parallel, io::Clock::duration limit);

/// A `limit` that leaves only the call's deadline.
inline constexpr io::Clock::duration kNoLimit = std::chrono::hours(24);

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
