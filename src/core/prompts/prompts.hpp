#pragma once
/// The prompts, which are workflows through the tools that a user starts by name, and the skills, which a
/// model picks.

#include "core/mcp/prompt.hpp"
#include "core/mcp/skill.hpp"

#include <vector>

namespace leanbridge::prompts {

/// All prompts, in a fixed order.
std::vector<mcp::Prompt> all_prompts();

/// All skills. There is one, of the Claude Code plugin, embedded by src/CMakeLists.txt.
std::vector<mcp::Skill> all_skills();

}  // namespace leanbridge::prompts
