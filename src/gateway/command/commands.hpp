#pragma once
/// The commands below `leanbridge mcp`. Each returns the exit code for main: 0 on success, 1 on failure, 2
/// for wrong usage, 130 when interrupted. docs/upstream.md describes their output.

#include "core/program/options.hpp"

namespace CLI {
class App;
}

namespace leanbridge::app {

/// Lists every configured server with its file, transport and consent, and the errors in those files.
/// Connects to no server. Returns 0 even if there are errors.
int mcp_list(const Options& options);

/// Connects to one or all servers, each with its own deadline, and prints era, name, counts and time. Returns
/// 1 if one fails or an entry is bad.
int mcp_test(const Options& options);

/// Lists the items that one or all servers offer, under the names that a session shows.
int mcp_tools(const Options& options);
int mcp_prompts(const Options& options);

/// Calls one tool. Returns 1 even if the tool itself reports the error.
int mcp_call(const Options& options);

/// Gives consent to one entry of a workspace file, or revokes all consents to a name in that workspace.
int mcp_trust(const Options& options);
int mcp_untrust(const Options& options);

/// Lists remote servers and their tokens, as a table or JSON. Connects to no server. Returns 0.
int mcp_auth_status(const Options& options);
/// Logs in. Prints the URL to open on stdout, on a line of its own, and everything else on stderr. Returns 2
/// for an unknown server.
int mcp_auth_login(const Options& options);
/// Revokes the token at its issuer and removes it. Returns 0 even if there was none, 1 if it cannot be
/// removed.
int mcp_auth_logout(const Options& options);

}  // namespace leanbridge::app
