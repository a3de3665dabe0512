#pragma once
/// The commands below `leanbridge mcp`. Each returns the exit code for main: 0; 1 where something failed; 2
/// for wrong usage; 130 when interrupted. docs/upstream.md says what they print.

#include "app/options.hpp"

namespace CLI {
class App;
}

namespace leanbridge::app {

/// Every configured server, with its file, transport and consent, and what is wrong in the files. Connects to
/// none, and is 0 also where something is wrong.
int mcp_list(const Options& options);

/// Connects to one server or all, each with its own deadline: era, name, counts, time. 1 where one fails, and
/// for a bad entry.
int mcp_test(const Options& options);

/// What one server or all offer, by the names under which a session shows it.
int mcp_tools(const Options& options);
int mcp_prompts(const Options& options);

/// One call of one tool. 1 also for an error that the tool reports.
int mcp_call(const Options& options);

/// Gives consent to one entry of a workspace file, or takes back all consents to a name there.
int mcp_trust(const Options& options);
int mcp_untrust(const Options& options);

/// A host's configuration that starts this program with the flags and variables in force.
int mcp_serve_config(const Options& options);

/// Which remote servers there are tokens for: a table, or JSON. Connects to none. 0.
int mcp_auth_status(const Options& options);
/// Logs in. The address to open stands on stdout on a line of its own, all else is said on stderr. 0; 1 where
/// it failed; 2 for a server that is not there; 130 when interrupted.
int mcp_auth_login(const Options& options);
/// Takes the token back at its issuer and removes it. 0, also where there was none; 1 where it cannot be
/// removed.
int mcp_auth_logout(const Options& options);

/// Adds `mcp` with all its commands; returns it. A command below it falls through to the flags of `app`, and
/// its callback sets `options.command` to Mcp and `options.mcp.run`: add_mcp_command() does both.
CLI::App* add_mcp(CLI::App& app, Options& options);
CLI::App* add_mcp_command(CLI::App& parent, Options& options, const char* name, const char* description,
                          int (*run)(const Options& options));

}  // namespace leanbridge::app
