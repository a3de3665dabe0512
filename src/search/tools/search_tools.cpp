// The list of search's tools. Declare and list a new one here.

#include "search_environment.hpp"

namespace leanbridge::tools {

mcp::Tool lean_explore_get_by_id(SearchEnvironment& environment);
mcp::Tool lean_explore_get_dependencies(SearchEnvironment& environment);
mcp::Tool lean_explore_search(SearchEnvironment& environment);
mcp::Tool lean_hammer_premise(SearchEnvironment& environment);
mcp::Tool lean_leanfinder(SearchEnvironment& environment);
mcp::Tool lean_leansearch(SearchEnvironment& environment);
mcp::Tool lean_local_search(SearchEnvironment& environment);
mcp::Tool lean_loogle(SearchEnvironment& environment);
mcp::Tool lean_modules(SearchEnvironment& environment);
mcp::Tool lean_state_search(SearchEnvironment& environment);
mcp::Tool lean_theorem_search(SearchEnvironment& environment);

std::vector<mcp::Tool> search_tools(SearchEnvironment& environment) {
  std::vector<mcp::Tool> tools;
  for (const auto make : {lean_explore_get_by_id, lean_explore_get_dependencies, lean_explore_search,
                          lean_hammer_premise, lean_leanfinder, lean_leansearch, lean_local_search,
                          lean_loogle, lean_modules, lean_state_search, lean_theorem_search})
    tools.push_back(make(environment));
  return tools;
}

}  // namespace leanbridge::tools
