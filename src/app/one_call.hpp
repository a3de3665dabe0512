#pragma once
/// One call of a tool from the command line.

#include "runtime.hpp"

namespace leanbridge::app {

/// Runs the loop until the tool has answered, with progress on stderr where that is a terminal, and stops
/// Lean. `interrupted`: a signal came.
Result<nlohmann::json> run_one(Runtime& runtime, const mcp::Tool& tool, mcp::Arguments arguments,
                               bool& interrupted);

}  // namespace leanbridge::app
