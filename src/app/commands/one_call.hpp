#pragma once
/// One call of a tool from the command line.

#include "app/runtime.hpp"

#include <functional>
#include <memory>

namespace leanbridge::app {

/// What goes before a call and takes its own time. Interrupted as the call is.
using Preparation = std::function<asio::awaitable<void>(std::shared_ptr<io::CancelSource>)>;

/// Runs the loop until the tool has answered, with progress on stderr where that is a terminal, and stops
/// Lean. `interrupted`: a signal came.
Result<nlohmann::json> run_one(Runtime& runtime, const mcp::Tool& tool, nlohmann::json arguments,
                               bool& interrupted, Preparation before = nullptr);

}  // namespace leanbridge::app
