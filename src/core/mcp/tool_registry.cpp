#include "tool_registry.hpp"

#include "core/base/similar.hpp"

#include <algorithm>
#include <string_view>

namespace leanbridge::mcp {

namespace {

constexpr const char* kPreset = "core";
constexpr const char* kAll = "all";
constexpr const char* kOnRequest = "corpus";  // a group that few users need

// README's tools and what a proof needs beside them: at most 14, below 8 KB (tests/e2e/tools.test.mjs).
const std::set<std::string> kCore = {
    "lean_about",          "lean_build",  "lean_certify",    "lean_check_all",     "lean_check_type",
    "lean_extract_lemma",  "lean_fill",   "lean_goal",       "lean_multi_attempt", "lean_run_code",
    "lean_theorem_search", "lean_verify", "lean_write_proof"};

// Leaves out the sentences that name a tool which is not listed: a model would call it.
std::string naming_only(const std::set<std::string>& listed, std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    const std::size_t end = std::min({text.find(". "), text.find("? "), text.size() - 1}) + 1;
    const std::string_view sentence = text.substr(0, end);
    bool lists_all = true;
    for (std::size_t at = sentence.find("lean_"); at != sentence.npos; at = sentence.find("lean_", at + 1)) {
      const std::size_t after = sentence.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at);
      lists_all = lists_all && listed.contains(std::string(sentence.substr(at, after - at)));
    }
    if (lists_all) kept += (kept.empty() ? "" : " ") + std::string(sentence);
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return kept;
}

}  // namespace

Result<ToolRegistry> ToolRegistry::select(std::vector<Tool> tools, const std::set<std::string>& groups,
                                          const std::set<std::string>& disabled,
                                          const std::map<std::string, std::string>& descriptions) {
  const std::set<std::string> known_groups = {"proof",    "query",  "build", "search", "corpus",
                                              "together", "server", kPreset, kAll};
  for (const std::string& group : groups)
    if (!known_groups.contains(group))
      return fail(
          ErrorKind::InvalidArgument, "Unknown tool group '" + group + "'.",
          "The groups are proof, query, build, search, corpus, together and server; all selects all of them, "
          "core the most important tools.");
  const auto is_wanted = [&groups](const Tool& tool) {
    if (groups.empty()) return tool.group != kOnRequest;
    return groups.contains(kAll) || groups.contains(tool.group) ||
           (groups.contains(kPreset) && kCore.contains(tool.name));
  };

  ToolRegistry registry;
  for (Tool& tool : tools) {
    if (!is_wanted(tool) || disabled.contains(tool.name)) continue;
    tool.listed = tool.listed || !groups.empty();
    registry.by_name_.emplace(tool.name, registry.tools_.size());
    registry.tools_.push_back(std::move(tool));
  }
  std::set<std::string> listed;
  for (const Tool& tool : registry.tools_)
    if (tool.listed) listed.insert(tool.name);
  for (Tool& tool : registry.tools_) {
    const auto other = descriptions.find(tool.name);
    tool.description = other == descriptions.end() ? naming_only(listed, tool.description) : other->second;
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
  return did_you_mean(closest_words(unknown, names, 2));
}

nlohmann::json to_json(const CallCounts& counts) {
  return {{"calls", counts.calls},
          {"errors", counts.errors},
          {"cancelled", counts.cancelled},
          {"mean_ms", counts.latency.mean_ms()},
          {"max_ms", counts.latency.max_ms()},
          {"histogram_ms", counts.latency.histogram()}};
}

}  // namespace leanbridge::mcp
