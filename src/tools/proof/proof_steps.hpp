#pragma once
/// What lean_step_forward and lean_step_backward share: a walk over the places where tactics begin. Private
/// to this module.

#include "leanbridge/tools/tools.hpp"

namespace leanbridge::tools {

enum class Direction { Forward, Backward };

/// The tool without its name, title and description.
mcp::Tool step_tool(Environment& environment, Direction direction);

}  // namespace leanbridge::tools
