#pragma once
/// `leanbridge mcp auth ...`: logging in to remote servers.

#include <string>

namespace CLI {
class App;
}

namespace leanbridge::app {

struct Options;

struct McpAuthOptions {
  bool no_browser = false;  ///< --no-browser: only print the address
  std::string scope;        ///< --scope: more than the server asks for
  std::string client_id;    ///< --client-id; its secret is in LEANBRIDGE_CLIENT_SECRET
  std::string issuer;       ///< --issuer: the only one to log in at
  double patience_s = 300;  ///< --wait
};

/// Adds `auth` with status, login and logout below `mcp`.
void add_mcp_auth(CLI::App& mcp, Options& options);

/// Which remote servers there are tokens for: a table, or JSON. Connects to none. 0.
int mcp_auth_status(const Options& options);
/// Logs in. The address to open stands on stdout on a line of its own, all else is said on stderr. 0; 1 where
/// it failed; 2 for a server that is not there; 130 when interrupted.
int mcp_auth_login(const Options& options);
/// Takes the token back at its issuer and removes it. 0, also where there was none; 1 where it cannot be
/// removed.
int mcp_auth_logout(const Options& options);

}  // namespace leanbridge::app
