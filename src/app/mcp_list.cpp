// leanbridge mcp list.

#include "mcp_commands.hpp"
#include "upstream_files.hpp"

#include <cstdio>

namespace leanbridge::app {

int mcp_list(const Options& options) {
  const upstream::Allowed found = read_upstreams(options);
  for (const upstream::ServerConfig& server : found.config.servers)
    std::printf("%s\t%s\n", server.name.c_str(), upstream::name_of(server.transport));
  return 0;
}

}  // namespace leanbridge::app
