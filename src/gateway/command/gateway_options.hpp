#pragma once
/// The options of other MCP servers, of `leanbridge mcp` and of `leanbridge serve`.

#include "core/base/secret.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace leanbridge::app {

struct Options;

/// The options about other servers in a session.
struct UpstreamOptions {
  std::string names;       ///< --upstream, else LEANBRIDGE_UPSTREAM: none, all, or names of servers
  bool lazy = false;       ///< --lazy-upstream
  std::string save_media;  ///< --save-media, else LEANBRIDGE_SAVE_MEDIA: a folder; empty: save nothing
};

struct McpAuthOptions {
  bool no_browser = false;  ///< --no-browser: only print the URL
  std::string scope;        ///< --scope: in addition to the scopes that the server requests
  std::string client_id;    ///< --client-id; its secret is in LEANBRIDGE_CLIENT_SECRET
  std::string issuer;       ///< --issuer: the only authorization server to accept
  double patience_s = 300;  ///< --wait
};

/// Options of the commands below `mcp`.
struct McpOptions {
  std::string server;   ///< SERVER or NAME; empty: all
  bool yes = false;     ///< trust --yes
  McpAuthOptions auth;  ///< auth ...
};

/// Options of `serve`, in addition to the server's own.
struct HttpOptions {
  std::string address;             ///< --http; empty: stdin and stdout
  bool listen_any = false;         ///< --listen-any: allows an address that other machines can reach
  std::string token_file;          ///< --token-file
  Secret token;                    ///< LEAN_LSP_MCP_TOKEN, with --transport streamable-http
  std::vector<std::string> hosts;  ///< --allow-host
  std::string access_log;          ///< --access-log; empty: none
  int max_connections = 2048;      ///< --max-connections
  int max_calls = 512;             ///< --max-calls
  int max_client_calls = 128;      ///< --max-client-calls
};

/// Add flags and commands.
void add_upstream(CLI::App& app, Options& options);
void add_mcp(CLI::App& app, Options& options);
void add_serve(CLI::App& app, Options& options);

}  // namespace leanbridge::app
