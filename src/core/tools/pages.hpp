#pragma once
/// Pages that show the answers of tools: in hosts with MCP Apps, and in `leanbridge view`.

namespace leanbridge::tools {

/// The URI of kGoalPage, for the tools whose answers it shows.
inline constexpr const char* kGoalPageUri = "ui://leanbridge/goal";

/// src/core/tools/server/goal_page, embedded by src/CMakeLists.txt: goals, hypotheses that changed, messages.
extern const char* const kGoalPage;

}  // namespace leanbridge::tools
