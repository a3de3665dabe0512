#include "exploring.hpp"

namespace leanbridge::tools {

mcp::Argument group_id_argument() {
  return mcp::Argument::required_("group_id", mcp::ArgumentType::Integer,
                                  "An id that lean_explore_search gave");
}

void explores(mcp::Tool& tool) {
  tool.group = "search";
  tool.annotations.open_world = true;
}

tl::unexpected<Error> explore_error(const search::Problem& problem) {
  return tl::unexpected<Error>(search::to_error(problem));
}

}  // namespace leanbridge::tools
