#pragma once
/// The prompts: ways through the tools, for a user to start by name. Each is one file, src/prompts/NAME.cpp,
/// that defines `mcp::Prompt NAME()`; the build finds them by their file names (src/prompts/CMakeLists.txt).

#include "leanbridge/mcp/prompt.hpp"

#include <vector>

namespace leanbridge::prompts {

/// All prompts, in a fixed order.
std::vector<mcp::Prompt> all_prompts();

}  // namespace leanbridge::prompts
