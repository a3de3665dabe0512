// The command line of `leanbridge mcp`.

#include "commands.hpp"
#include <CLI/CLI.hpp>

namespace leanbridge::app {

namespace {

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

void add_json(CLI::App* command, Options& options) {
  command->add_flag("--json", options.as_json, "As JSON");
}

void add_looking(CLI::App& mcp, Options& options) {
  add_json(add_mcp_command(mcp, options, "list", "Every configured server; connects to none", mcp_list),
           options);
  CLI::App* test =
      add_mcp_command(mcp, options, "test",
                      "Connect to all servers, or one, and say how that went; exit code 0 or 1", mcp_test);
  CLI::App* tools = add_mcp_command(mcp, options, "tools", "The tools that servers offer", mcp_tools);
  CLI::App* prompts = add_mcp_command(mcp, options, "prompts", "The prompts that servers offer", mcp_prompts);
  for (CLI::App* command : {test, tools, prompts}) {
    command->add_option("server", options.mcp.server, "Only this one");
    add_json(command, options);
  }
}

void add_call(CLI::App& mcp, Options& options) {
  CLI::App* call = add_mcp_command(
      mcp, options, "call", "Call one tool; exit code 0, 1 for an error, 2 for usage, 130 when interrupted",
      mcp_call);
  call->add_option("server", options.mcp.server, "The server's name")->required();
  call->add_option("tool", options.tool, "The tool's name, its own or the offered one")->required();
  call->add_option("arguments", options.words, "Its arguments: path=a.txt, or a JSON object");
  call->add_flag("--json", options.as_json, "The whole result as JSON, not only what it says");
}

void add_trust(CLI::App& mcp, Options& options) {
  CLI::App* trust =
      add_mcp_command(mcp, options, "trust",
                      "Let a server of the workspace be connected, as its entry stands now", mcp_trust);
  trust->add_flag("--yes", options.mcp.yes, "Do not ask: I have seen what the entry says");
  CLI::App* untrust = add_mcp_command(mcp, options, "untrust", "Take that back", mcp_untrust);
  for (CLI::App* command : {trust, untrust})
    command->add_option("name", options.mcp.server, "The server's name")->required();
}

void add_mcp_auth(CLI::App& mcp, Options& options) {
  CLI::App* auth = mcp.add_subcommand("auth", "Logging in to remote servers (OAuth)");
  auth->require_subcommand(1);
  auth->fallthrough();
  CLI::App* status =
      add_mcp_command(*auth, options, "status", "Who is logged in where, and until when", mcp_auth_status);
  status->add_option("server", options.mcp.server, "Only this one");
  status->add_flag("--json", options.as_json, "As JSON");
  CLI::App* login = add_mcp_command(
      *auth, options, "login", "Log in by a browser; exit code 0, 1, 2 for usage, or 130", mcp_auth_login);
  login->add_option("server", options.mcp.server, "The server's name")->required();
  login->add_flag("--no-browser", options.mcp.auth.no_browser, "Only print the address to open");
  login->add_option("--scope", options.mcp.auth.scope,
                    "Scopes to ask for beside those that the server wants");
  login->add_option("--issuer", options.mcp.auth.issuer,
                    "The only authorization server to log in at, of those that the server names");
  login->add_option("--client-id", options.mcp.auth.client_id,
                    "A client registered by hand (its secret, if it has one: LEANBRIDGE_CLIENT_SECRET)");
  login->add_option("--wait", options.mcp.auth.patience_s, "Seconds to wait for the browser")
      ->check(CLI::Range(1.0, 3600.0));
  CLI::App* logout =
      add_mcp_command(*auth, options, "logout", "Take the token back and remove it", mcp_auth_logout);
  logout->add_option("server", options.mcp.server, "The server's name")->required();
}

void add_serve_config(CLI::App& mcp, Options& options) {
  CLI::App* config =
      add_mcp_command(mcp, options, "serve-config",
                      "The configuration of hosts that starts leanbridge with these flags", mcp_serve_config);
  config
      ->add_option("--host", options.mcp.host, "claude (Claude Code and Desktop, Cursor), vscode or opencode")
      ->check(CLI::IsMember({"claude", "vscode", "opencode"}));
  add_json(config, options);
}

}  // namespace

CLI::App* add_mcp(CLI::App& app, Options& options) {
  CLI::App* mcp = app.add_subcommand("mcp", "Other MCP servers: what is configured, and what they offer");
  mcp->require_subcommand(1);
  mcp->fallthrough();
  add_looking(*mcp, options);
  add_call(*mcp, options);
  add_trust(*mcp, options);
  add_serve_config(*mcp, options);
  add_mcp_auth(*mcp, options);
  return mcp;
}

}  // namespace leanbridge::app
