// lean_step_forward: the goals at the next tactic.

#include "stepping.hpp"

namespace leanbridge::tools {

mcp::Tool lean_step_forward(Environment& environment) {
  mcp::Tool tool = step_tool(environment, Direction::Forward);
  tool.name = "lean_step_forward";
  tool.title = "Step forward in a proof";
  tool.description =
      "Moves to the next place of a proof where a tactic begins and shows what the tactic before it did: the "
      "goals before and after. Starts from the given position, else from where the last step in the file "
      "ended; after the last tactic it goes on to the next proof. Use it to find out at which tactic a proof "
      "goes wrong.";
  return tool;
}

}  // namespace leanbridge::tools
