#pragma once
/// The facts about health that parts of the program add to the answer of lean_server_health.

#include "core/base/json_struct.hpp"

#include <map>
#include <optional>
#include <string>

namespace leanbridge::tools {

struct ServerHealth {
  std::map<std::string, nlohmann::json> backends;  ///< of search, by name
  std::optional<nlohmann::json> cache;             ///< of search results, if there is one
  std::optional<nlohmann::json> upstreams;         ///< other MCP servers, if any

  static wire::Fields fields() {
    return {wire::field<&ServerHealth::backends>().unlisted(), wire::field<&ServerHealth::cache>().unlisted(),
            wire::field<&ServerHealth::upstreams>()};
  }
};

}  // namespace leanbridge::tools
