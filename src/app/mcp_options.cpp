#include "mcp_options.hpp"

#include "mcp_commands.hpp"
#include <CLI/CLI.hpp>

namespace leanbridge::app {

CLI::App* add_mcp_command(CLI::App& parent, Options& options, const char* name, const char* description,
                          int (*run)(const Options& options)) {
  CLI::App* command = parent.add_subcommand(name, description);
  command->fallthrough();
  command->callback([&options, run] {
    options.command = Command::Mcp;
    options.mcp.run = run;
  });
  return command;
}

CLI::App* add_mcp(CLI::App& app, Options& options) {
  CLI::App* mcp = app.add_subcommand("mcp", "Other MCP servers: what is configured, and what they offer");
  mcp->require_subcommand(1);
  mcp->fallthrough();
  CLI::App* list = add_mcp_command(*mcp, options, "list", "Every configured server; connects to none",
                                   mcp_list);
  list->add_flag("--json", options.as_json, "As JSON");
  return mcp;
}

}  // namespace leanbridge::app
