#pragma once
/// A search tool of another MCP server as a source: LeanSearch, Loogle, LeanExplore or Lean Finder behind
/// MCP. The caller provides the connection.

#include "backend.hpp"
#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::search {

struct UpstreamTool {
  std::string service;    ///< one of upstream_services(), which decides the form of queries
  std::string server;     ///< name of the server
  std::string tool;       ///< the tool's name at the server; empty: a usual one
  std::string identity;   ///< changes with the server's configuration; no secrets
  bool disabled = false;  ///< set if offline, since it is unknown what the server contacts
  /// Waits for the connection, and returns the items of `tools/list`.
  std::function<asio::awaitable<Outcome<std::vector<nlohmann::json>>>(io::CancelScope)> offer;
  /// Returns the result of `tools/call`.
  std::function<asio::awaitable<Outcome<nlohmann::json>>(std::string tool, nlohmann::json arguments,
                                                         io::CancelScope)>
      call;
};

/// "leansearch", "loogle", "leanexplore", "leanfinder".
const std::vector<std::string>& upstream_services();

/// Makes the source for a tool. It is called "loogle@team" for the service "loogle" of the server "team".
std::unique_ptr<Backend> make_upstream_backend(UpstreamTool tool);

/// Chooses among the offered tools: the configured name if there is one, else the first usual name of the
/// service, else the server's only tool. null: there is none.
const nlohmann::json* choose_tool(const std::vector<nlohmann::json>& offered, const UpstreamTool& wanted);

/// Arguments for the tool's schema: the text and, if supported, the limit. nullopt: the tool takes no text.
std::optional<nlohmann::json> arguments_for(const nlohmann::json& tool, const std::string& text,
                                            std::size_t limit);

/// Reads the hits in a result of `tools/call`, from its structured content or from JSON in its texts: a list,
/// nested lists, or an object with a list under a usual name. nullopt: none of these.
std::optional<std::vector<Theorem>> read_upstream_hits(const nlohmann::json& result);

}  // namespace leanbridge::search
