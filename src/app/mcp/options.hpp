#pragma once
/// `leanbridge mcp ...`: the commands about other MCP servers.

#include "auth.hpp"

#include <string>

namespace CLI {
class App;
}

namespace leanbridge::app {

struct Options;

/// What the commands below `mcp` are given.
struct McpOptions {
  int (*run)(const Options& options) = nullptr;  ///< the command; returns the exit code
  std::string server;                            ///< SERVER or NAME; empty: all
  bool yes = false;                              ///< trust --yes
  std::string host = "claude";                   ///< serve-config --host
  McpAuthOptions auth;                           ///< auth ...
};

/// Adds `mcp` with all its commands; returns it. A command below it falls through to the flags of `app`, and
/// its callback sets `options.command` to Mcp and `options.mcp.run`: add_mcp_command() does both.
CLI::App* add_mcp(CLI::App& app, Options& options);
CLI::App* add_mcp_command(CLI::App& parent, Options& options, const char* name, const char* description,
                          int (*run)(const Options& options));

}  // namespace leanbridge::app
