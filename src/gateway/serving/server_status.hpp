#pragma once
/// The status of a server over HTTP, for Prometheus and for `leanbridge status`. Pure.

#include "core/ide/project_health.hpp"
#include "core/mcp/tool_registry.hpp"
#include "gateway/streamable/endpoint.hpp"
#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace leanbridge::app {

struct ServerStatus {
  std::string version;
  std::string url;
  double uptime_s = 0;
  bool draining = false;
  std::size_t connections = 0;
  std::uint64_t refused_connections = 0;
  streamable::EndpointCounts mcp;
  std::int64_t own_bytes = 0;
  std::vector<ide::LeanHealth> projects;
  std::map<std::string, mcp::CallCounts> tools;
};

/// Prometheus' text format, version 0.0.4.
std::string metrics_text(const ServerStatus& status);
/// The JSON of `/status`.
nlohmann::json status_json(const ServerStatus& status);
/// The output of `leanbridge status` for it.
std::string status_table(const nlohmann::json& status);

}  // namespace leanbridge::app
