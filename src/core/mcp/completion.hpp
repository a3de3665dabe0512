#pragma once
/// completion/complete: the possible values of an argument of a prompt or a resource template.

#include "prompt.hpp"
#include "tool.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::mcp {

/// Values of an argument of that kind, in any order: at least the ones that begin with `typed`, as far as
/// they are found in time. Never called for Text.
using Completer = std::function<asio::awaitable<std::vector<std::string>>(
    ArgumentKind kind, std::string typed, std::shared_ptr<Call> call)>;

/// The maximum number of values in an answer, a rule of the protocol.
inline constexpr std::size_t kMaxCompletions = 100;

struct Completions {
  std::vector<std::string> values;
  std::size_t total = 0;  ///< may be more than the number of `values`
};

/// The candidates that fit the typed text: first the ones that begin with it, then the ones that contain it
/// in upper or lower case; each group sorted, each value once.
Completions completions_of(std::vector<std::string> candidates, const std::string& typed);

}  // namespace leanbridge::mcp
