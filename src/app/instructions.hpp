#pragma once
/// What a model is told about the server as a whole.

#include "leanbridge/mcp/tool_registry.hpp"

#include <string>

namespace leanbridge::app {

/// At most 150 words, whatever is offered: sentences about tools that are not are left out.
std::string instructions_for(const mcp::ToolRegistry& tools);

}  // namespace leanbridge::app
