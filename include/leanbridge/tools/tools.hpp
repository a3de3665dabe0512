#pragma once
/// The tools. Each is a function `mcp::Tool NAME(Environment&)` in src/tools/GROUP, and listed in
/// src/tools/all_tools.cpp.

#include "leanbridge/document/workspace.hpp"
#include "leanbridge/index/local_index.hpp"
#include "leanbridge/mcp/resource.hpp"
#include "leanbridge/mcp/tool.hpp"
#include "leanbridge/search/services.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace leanbridge::tools {

struct CompilerMemory;

/// What a tool may use. Outlives all calls.
struct Environment {
  document::Workspace& workspace;
  io::Pool& pool;
  index::LocalIndex& index;
  search::Services& search;
  std::function<nlohmann::json()> call_counts;  ///< per tool; for lean_server_health
  std::string version;
  std::function<nlohmann::json()> upstreams = {};  ///< other servers, for lean_server_health; empty: none
  std::shared_ptr<CompilerMemory> compiler = {};   ///< made by the first tool that needs it
};

/// All tools of the contract that exist, in a fixed order.
std::vector<mcp::Tool> all_tools(Environment& environment);

/// The resources `lean://...`. What a tool answers, too, is read through that tool: one text, two ways to it.
/// `all`: all tools, whichever of them are offered to clients.
std::vector<mcp::Resource> all_resources(Environment& environment, const std::vector<mcp::Tool>& all);

}  // namespace leanbridge::tools
