#pragma once
/// The prompts: workflows through the tools that a user starts by name.

#include "leanbridge/mcp/prompt.hpp"

#include <vector>

namespace leanbridge::prompts {

/// All prompts, in a fixed order.
std::vector<mcp::Prompt> all_prompts();

}  // namespace leanbridge::prompts
