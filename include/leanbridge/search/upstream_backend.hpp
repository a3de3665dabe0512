#pragma once
/// A search tool of another MCP server as a source: LeanSearch, Loogle, LeanExplore or Lean Finder behind
/// MCP. Who connects to the server is not known here.

#include "leanbridge/search/backend.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::search {

struct UpstreamTool {
  std::string service;   ///< whose form of a query it takes, one of upstream_services()
  std::string server;    ///< the server's name
  std::string tool;      ///< the server's own name for it; empty: the usual one
  std::string identity;  ///< changes with the server's configuration; no secrets
  bool disabled =
      false;  ///< nothing beyond this machine is to be asked, and nobody knows what the server asks
  /// What the server offers: items of `tools/list`. Waits until it is connected.
  std::function<asio::awaitable<Outcome<std::vector<nlohmann::json>>>(io::CancelScope)> offer;
  /// A result of `tools/call`.
  std::function<asio::awaitable<Outcome<nlohmann::json>>(std::string tool, nlohmann::json arguments,
                                                         io::CancelScope)>
      call;
};

/// "leansearch", "loogle", "leanexplore", "leanfinder".
const std::vector<std::string>& upstream_services();

/// Its name as a source is "loogle@team" for the service "loogle" at the server "team".
std::unique_ptr<Backend> make_upstream_backend(UpstreamTool tool);

/// The tool to ask among those offered; null where there is none. A name that is asked for must be there;
/// without one it is the first usual name of the service, else the only tool of the server.
const nlohmann::json* choose_tool(const std::vector<nlohmann::json>& offered, const UpstreamTool& wanted);

/// Arguments for the tool's own schema: the text where it takes one, the limit where it takes that. nullopt:
/// it has no place for a text.
std::optional<nlohmann::json> arguments_for(const nlohmann::json& tool, const std::string& text,
                                            std::size_t limit);

/// What a result of `tools/call` holds: structured content, or JSON in its texts; a list, lists in a list, or
/// an object with a list in one of the usual places. nullopt: nothing of that.
std::optional<std::vector<Hit>> read_upstream_hits(const nlohmann::json& result);

}  // namespace leanbridge::search
