#pragma once
/// Tactics tried at a place, in scratch documents. Private to this module.

#include "tools/common/goals.hpp"

namespace leanbridge::tools {

/// `complete`, `progress`, `no_progress`, `error`; `unknown`: complete, if what Lean keeps silent about is no
/// sorry.
enum class ProofStatus { Complete, Progress, NoProgress, Error, Unknown };
wire::Names<ProofStatus> names_of(ProofStatus);

/// What one attempt came to.
struct Attempt {
  std::string snippet;
  bool timed_out = false;
  ProofStatus status = ProofStatus::Error;
  Goals before;
  Goals after;
  std::vector<DiagnosticItem> diagnostics;  ///< of the snippet only
  std::string reason;  ///< for agents, where Lean's messages alone would say more than is so
};

/// Tries each snippet by itself at the place that `line` and `column` name, in up to `parallel` scratch
/// documents. The user's document is not touched, the rest of the file is not elaborated. One that does not
/// end soon is put last, so that it holds up no other; there those that are left share the call's time, side
/// by side, and each is given up after `limit` at the latest. Errors only for what concerns all of them: no
/// such place, Lean unavailable, cancelled.
asio::awaitable<Result<std::vector<Attempt>>> run_attempts(Environment& environment,
                                                           std::shared_ptr<mcp::Call> call,
                                                           const OpenFile& file, int line,
                                                           std::optional<int> column,
                                                           std::vector<std::string> snippets,
                                                           std::size_t parallel, io::Clock::duration limit);

/// As a `limit`: only the call's deadline.
inline constexpr io::Clock::duration kNoLimit = std::chrono::hours(24);

/// Lists of an attempt as far as an agent has use for them. True where something was left out.
template <class T>
bool cap(std::vector<T>& list, std::size_t most) {
  if (list.size() <= most) return false;
  list.resize(most);
  return true;
}
inline constexpr std::size_t kMaxGoals = 20;
inline constexpr std::size_t kMaxMessages = 50;

}  // namespace leanbridge::tools
