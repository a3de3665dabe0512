#pragma once
/// The tools and resources. Each tool is a function `mcp::Tool NAME(Environment&)` in src/tools/GROUP, listed
/// in src/tools/all_tools.cpp.

#include "leanbridge/ide/environment.hpp"
#include "leanbridge/index/local_index.hpp"
#include "leanbridge/mcp/completion.hpp"
#include "leanbridge/mcp/resource.hpp"
#include "leanbridge/mcp/tool.hpp"
#include "leanbridge/search/services.hpp"
#include "leanbridge/tools/build_concurrency.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace leanbridge::tools {

// Tools are adapters around the questions to Lean, and name them without a prefix.
using namespace ide;

/// What tools may use. Outlives all calls.
struct Environment : ide::Environment {
  index::LocalIndex& index;
  search::Services& search;
  std::function<nlohmann::json()> call_counts;  ///< per tool; for lean_server_health
  std::string version;
  std::function<nlohmann::json()> upstreams = {};  ///< for lean_server_health; empty: no other servers
  BuildConcurrency builds = BuildConcurrency::Allow;
  std::filesystem::path cache = {};  ///< the folder for what is remembered; empty: nothing is
};

/// All tools in a fixed order.
std::vector<mcp::Tool> all_tools(Environment& environment);

/// The resources `lean://...`. A resource whose content a tool also returns is read through that tool. `all`
/// must hold every tool, including those that are not offered to clients.
std::vector<mcp::Resource> all_resources(Environment& environment, const std::vector<mcp::Tool>& all);

/// Completes arguments of prompts and resources. `environment` must outlive it.
mcp::Completer argument_completer(Environment& environment);

}  // namespace leanbridge::tools
