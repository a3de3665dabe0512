// lean_step_backward: the goals at the previous tactic.

#include "stepping.hpp"

namespace leanbridge::tools {

mcp::Tool lean_step_backward(Environment& environment) {
  mcp::Tool tool = step_tool(environment, Direction::Backward);
  tool.name = "lean_step_backward";
  tool.title = "Step backward in a proof";
  tool.description = "Moves to the previous place where a tactic begins: the opposite of lean_step_forward.";
  return tool;
}

}  // namespace leanbridge::tools
