#pragma once
/// The health that parts of the program add to the answer of lean_server_health.

#include "core/base/json_struct.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace leanbridge::tools {

/// A source of search.
struct BackendHealth {
  std::string status;   ///< a word of search::HealthStatus
  std::string breaker;  ///< a word of search::Breaker::State
  std::uint64_t answered = 0;
  std::uint64_t cached = 0;
  std::uint64_t refused = 0;
  std::map<std::string, std::uint64_t> failures;  ///< by kind
  double mean_ms = 0;
  nlohmann::json histogram_ms;  ///< from Latency
  wire::Nullable<std::string> last_error;
  std::optional<std::string> disabled_because;

  static wire::Fields fields() {
    return wire::fields<&BackendHealth::status, &BackendHealth::breaker, &BackendHealth::answered,
                        &BackendHealth::cached, &BackendHealth::refused, &BackendHealth::failures,
                        &BackendHealth::mean_ms, &BackendHealth::histogram_ms, &BackendHealth::last_error,
                        &BackendHealth::disabled_because>();
  }
};

struct CacheHealth {
  std::size_t entries = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;

  static wire::Fields fields() {
    return wire::fields<&CacheHealth::entries, &CacheHealth::hits, &CacheHealth::misses,
                        &CacheHealth::evictions>();
  }
};

struct ServerHealth {
  std::map<std::string, BackendHealth> backends;  ///< by name
  CacheHealth cache;                              ///< of search results
  std::optional<nlohmann::json> upstreams;        ///< other MCP servers, if any
};

}  // namespace leanbridge::tools
