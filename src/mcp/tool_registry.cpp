#include "leanbridge/mcp/tool_registry.hpp"

namespace leanbridge::mcp {

Result<ToolRegistry> ToolRegistry::select(std::vector<Tool> tools, const std::set<std::string>& groups,
                                          const std::set<std::string>& disabled) {
  std::set<std::string> known_groups = {"proof", "query", "build", "search", "corpus", "server"};
  for (const std::string& group : groups)
    if (!known_groups.contains(group))
      return fail(ErrorKind::InvalidArgument, "There is no group of tools '" + group + "'.",
                  "The groups are proof, query, build, search, corpus and server.");

  ToolRegistry registry;
  for (Tool& tool : tools) {
    if (!groups.contains(tool.group) || disabled.contains(tool.name)) continue;
    registry.listing_.push_back(describe(tool));
    registry.by_name_.emplace(tool.name, registry.tools_.size());
    registry.tools_.push_back(std::move(tool));
  }
  return registry;
}

const Tool* ToolRegistry::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &tools_[found->second];
}

}  // namespace leanbridge::mcp
