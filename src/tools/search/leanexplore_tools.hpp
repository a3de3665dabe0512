#pragma once
/// What the LeanExplore tools share. Private to this module.

#include "search_common.hpp"

namespace leanbridge::tools {

mcp::Argument group_id_argument();
/// The hints of a tool that asks LeanExplore.
void explores(mcp::Tool& tool);

/// The error of a request to LeanExplore.
tl::unexpected<Error> explore_error(const search::Problem& problem);

}  // namespace leanbridge::tools
