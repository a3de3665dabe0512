#pragma once
/// completion/complete: what an argument of a prompt or a resource template may be.

#include "prompt.hpp"
#include "tool.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::mcp {

/// Values that an argument of that kind may have, in any order: at least those that begin with `typed`, as
/// far as they are known in time. Never called for Text.
using Completer = std::function<asio::awaitable<std::vector<std::string>>(
    ArgumentKind kind, std::string typed, std::shared_ptr<Call> call)>;

/// How many values an answer has at most: a rule of the protocol.
inline constexpr std::size_t kMaxCompletions = 100;

struct Completions {
  std::vector<std::string> values;
  std::size_t total = 0;  ///< may be more than there are values
};

/// Those that fit what is typed: first the ones that begin with it, then the ones that contain it in any
/// case; each group sorted, each value once.
Completions completions_of(std::vector<std::string> candidates, const std::string& typed);

}  // namespace leanbridge::mcp
