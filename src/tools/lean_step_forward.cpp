// lean_step_forward: the goals at the next tactic.

#include "stepping.hpp"

namespace leanbridge::tools {

mcp::Tool lean_step_forward(Environment& environment) {
  mcp::Tool tool = step_tool(environment, Direction::Forward);
  tool.name = "lean_step_forward";
  tool.title = "Step forward in a proof";
  tool.description =
      "Moves to the next place where a tactic begins and shows the goals before and after the tactic passed. "
      "Starts from the given position, else where the last step in the file ended. Use it to find the tactic "
      "at which a proof goes wrong.";
  return tool;
}

}  // namespace leanbridge::tools
