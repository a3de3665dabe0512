#pragma once
/// The core's tools and resources. Each tool is a function `mcp::Tool NAME(Environment&)` in
/// src/core/tools/GROUP, listed in src/core/tools/all_tools.cpp; a part has its own.

#include "core/ide/build_concurrency.hpp"
#include "core/ide/lean.hpp"
#include "core/mcp/completion.hpp"
#include "core/mcp/resource.hpp"
#include "core/mcp/tool.hpp"
#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <vector>

namespace leanbridge::tools {

// Tools are adapters around the questions to Lean, and name them without a prefix.
using namespace ide;

struct ServerHealth;

/// A declaration that the call's file may be able to use.
struct KnownName {
  std::string name;    ///< full
  std::string module;  ///< empty: unknown
  bool is_private = false;
};

/// Knows names of declarations beyond the call's file. Its methods are called on the loop's thread.
class NameSource {
 public:
  virtual ~NameSource() = default;
  /// Declarations of the project and its imports whose name is, or resembles, the given one; an empty path
  /// means the toolchain alone. Empty while the names are still being read.
  virtual asio::awaitable<std::vector<KnownName>> names_like(std::filesystem::path project, std::string name,
                                                             io::CancelScope scope) = 0;
  /// The next components of modules and names that begin with `around`, for completion.
  virtual asio::awaitable<std::vector<std::string>> components_below(std::filesystem::path project,
                                                                     std::string around,
                                                                     io::CancelScope scope) = 0;
};

/// The services that tools may use. Outlives all calls.
struct Environment : ide::Lean {
  std::function<nlohmann::json()> call_counts;  ///< per tool; for lean_server_health
  std::string version;
  BuildConcurrency builds = BuildConcurrency::Allow;
  std::filesystem::path cache = {};  ///< the folder for remembered data; empty: nothing is remembered
  NameSource* names = nullptr;       ///< null: only the names of the call's file are known
  /// Functions by which the parts add to the answer of lean_server_health.
  std::vector<std::function<void(ServerHealth&)>> add_health = {};
};

/// The core's tools.
std::vector<mcp::Tool> all_tools(Environment& environment);

/// The resources `lean://...`. A resource whose content a tool also returns is read through that tool. `all`
/// must hold every tool, including those that are not offered to clients.
std::vector<mcp::Resource> all_resources(Environment& environment, const std::vector<mcp::Tool>& all);

/// Completes arguments of prompts and resources. `environment` must outlive it.
mcp::Completer argument_completer(Environment& environment);

}  // namespace leanbridge::tools
