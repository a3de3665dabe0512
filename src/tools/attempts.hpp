#pragma once
/// Tactics tried at a place, in scratch documents. Private to this module.

#include "goals.hpp"

namespace leanbridge::tools {

/// `complete`, `progress`, `no_progress`, `error`.
enum class ProofStatus { Complete, Progress, NoProgress, Error };
const char* status_name(ProofStatus status);

/// What one attempt came to.
struct Attempt {
  std::string snippet;
  bool timed_out = false;
  ProofStatus status = ProofStatus::Error;
  Goals before;
  Goals after;
  nlohmann::json diagnostics = nlohmann::json::array();  ///< of the snippet only, as diagnostic items
};

/// Tries each snippet by itself at the place that `line` and `column` name, in up to `parallel` scratch
/// documents. The user's document is not touched, the rest of the file is not elaborated. One that does not
/// end is put last, so that it holds up no other, and is given up at `limit` or the end of the scope. Errors
/// only for what concerns all of them: no such place, Lean unavailable, cancelled.
asio::awaitable<Result<std::vector<Attempt>>> run_attempts(const OpenFile& file, int line,
                                                           std::optional<int> column,
                                                           std::vector<std::string> snippets,
                                                           std::size_t parallel, io::Clock::duration limit,
                                                           io::Scope scope);

}  // namespace leanbridge::tools
