// leanbridge tools.

#include "commands.hpp"
#include "output.hpp"
#include "runtime.hpp"
#include "table.hpp"

#include <algorithm>
#include <cstdio>

namespace leanbridge::app {

namespace {

std::string signature(const mcp::Tool& tool) {
  std::string text;
  for (const mcp::Argument& argument : tool.arguments)
    text += (text.empty() ? "" : " ") + argument.name + (argument.required ? "" : "?");
  return text;
}

}  // namespace

int list_tools(const Options& options) {
  Runtime runtime(options);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  if (options.as_json) {
    std::printf("%s\n", rpc::dump(runtime.tools().listing()).c_str());
    return 0;
  }
  std::vector<const mcp::Tool*> tools;
  for (const mcp::Tool& tool : runtime.tools().tools()) tools.push_back(&tool);
  std::stable_sort(tools.begin(), tools.end(),
                   [](const auto* a, const auto* b) { return a->group < b->group; });
  std::string group;
  for (const mcp::Tool* tool : tools) {
    if (tool->group != group) std::printf("%s%s\n", group.empty() ? "" : "\n", (group = tool->group).c_str());
    std::printf("  %-26s %s\n  %-26s %s\n", tool->name.c_str(), signature(*tool).c_str(), "",
                first_sentence(tool->description).c_str());
  }
  return 0;
}

}  // namespace leanbridge::app
