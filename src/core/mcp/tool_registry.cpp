#include "tool_registry.hpp"

#include "core/base/similar.hpp"

namespace leanbridge::mcp {

namespace {

constexpr const char* kPreset = "core";
constexpr const char* kAll = "all";
constexpr const char* kOnRequest = "corpus";  // a group that few users need

// At most 14 tools, with tools/list below 14 KB (tests/e2e/tools.test.mjs).
const std::set<std::string> kCore = {
    "lean_goal",          "lean_check",         "lean_check_all",   "lean_diagnostic_messages",
    "lean_multi_attempt", "lean_validate_step", "lean_write_proof", "lean_step_forward",
    "lean_hover_info",    "lean_check_type",    "lean_verify",      "lean_theorem_search",
    "lean_run_code",      "lean_build"};

}  // namespace

Result<ToolRegistry> ToolRegistry::select(std::vector<Tool> tools, const std::set<std::string>& groups,
                                          const std::set<std::string>& disabled,
                                          const std::map<std::string, std::string>& descriptions) {
  const std::set<std::string> known_groups = {"proof",  "query",  "build", "search",
                                              "corpus", "server", kPreset, kAll};
  for (const std::string& group : groups)
    if (!known_groups.contains(group))
      return fail(ErrorKind::InvalidArgument, "Unknown tool group '" + group + "'.",
                  "The groups are proof, query, build, search, corpus and server; all selects all of them, "
                  "core the most important tools.");
  const auto is_wanted = [&groups](const Tool& tool) {
    if (groups.empty()) return tool.group != kOnRequest;
    return groups.contains(kAll) || groups.contains(tool.group) ||
           (groups.contains(kPreset) && kCore.contains(tool.name));
  };

  ToolRegistry registry;
  for (Tool& tool : tools) {
    if (!is_wanted(tool) || disabled.contains(tool.name)) continue;
    if (const auto other = descriptions.find(tool.name); other != descriptions.end())
      tool.description = other->second;
    tool.listed = tool.listed || !groups.empty();
    registry.by_name_.emplace(tool.name, registry.tools_.size());
    registry.tools_.push_back(std::move(tool));
  }
  return registry;
}

nlohmann::json ToolRegistry::listing() const {
  nlohmann::json listing = nlohmann::json::array();
  for (const Tool& tool : tools_)
    if (tool.listed) listing.push_back(describe(tool));
  return listing;
}

const Tool* ToolRegistry::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &tools_[found->second];
}

std::string ToolRegistry::meant_by(const std::string& unknown) const {
  std::vector<std::string> names;
  names.reserve(tools_.size());
  for (const Tool& tool : tools_) names.push_back(tool.name);
  const auto meant = closest_words(unknown, names, 2);
  return meant.empty() ? "" : "Did you mean " + either_of(meant) + "?";
}

}  // namespace leanbridge::mcp
