#pragma once
/// Pages of MCP Apps, which hosts show with the answers of tools. Private to this module.

namespace leanbridge::tools {

/// The URI of kGoalPage, for the tools whose answers it shows.
inline constexpr const char* kGoalPageUri = "ui://leanbridge/goal";

/// src/tools/server/goal_page.html, embedded by src/CMakeLists.txt: goals, hypotheses that changed, messages.
extern const char* const kGoalPage;

}  // namespace leanbridge::tools
