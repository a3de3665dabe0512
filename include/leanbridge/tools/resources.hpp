#pragma once
/// The resources `lean://...`. What a tool answers, too, is read through that tool: one text, two ways to it.

#include "leanbridge/mcp/resource.hpp"
#include "leanbridge/tools/tools.hpp"

#include <vector>

namespace leanbridge::tools {

/// `all`: all tools, whichever of them are offered to clients.
std::vector<mcp::Resource> all_resources(Environment& environment, const std::vector<mcp::Tool>& all);

}  // namespace leanbridge::tools
