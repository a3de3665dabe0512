// The command line of `leanbridge mcp`.

#include "app/hosts/hosts.hpp"
#include "commands.hpp"
#include <CLI/CLI.hpp>

namespace leanbridge::app {

namespace {

// Adds a command that also accepts the flags of the server itself.
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
  command->add_flag("--json", options.as_json, "Print the result as JSON");
}

void add_inspection(CLI::App& mcp, Options& options) {
  add_json(
      add_mcp_command(mcp, options, "list", "List configured servers without connecting to them", mcp_list),
      options);
  CLI::App* test =
      add_mcp_command(mcp, options, "test", "Connect to one or all servers and report the outcome", mcp_test);
  test->footer("Exit status: 0 if all connected, 1 if a server failed or an entry is bad.");
  CLI::App* tools = add_mcp_command(mcp, options, "tools", "List the tools that servers offer", mcp_tools);
  CLI::App* prompts =
      add_mcp_command(mcp, options, "prompts", "List the prompts that servers offer", mcp_prompts);
  for (CLI::App* command : {test, tools, prompts}) {
    command->add_option("SERVER", options.mcp.server, "Only this server");
    add_json(command, options);
  }
}

void add_call(CLI::App& mcp, Options& options) {
  CLI::App* call = add_mcp_command(mcp, options, "call", "Call one tool of a server", mcp_call);
  call->footer("Exit status: 0 on success, 1 on failure, 2 for wrong usage, 130 if interrupted.");
  call->add_option("SERVER", options.mcp.server, "Name of the server")->required();
  call->add_option("TOOL", options.call.tool, "Name of the tool, as the server or as leanbridge offers it")
      ->required();
  call->add_option("ARGUMENT", options.call.words,
                   "Arguments as NAME=VALUE, such as path=a.txt, or a JSON object");
  call->add_flag("--json", options.as_json, "Print the whole result as JSON, not only its content");
}

void add_trust(CLI::App& mcp, Options& options) {
  CLI::App* trust = add_mcp_command(
      mcp, options, "trust",
      "Allow connecting to a server of the workspace, as long as its entry does not change", mcp_trust);
  trust->add_flag("--yes", options.mcp.yes, "Do not ask for confirmation: you have read the entry");
  CLI::App* untrust =
      add_mcp_command(mcp, options, "untrust", "Revoke trust in a server of the workspace", mcp_untrust);
  for (CLI::App* command : {trust, untrust})
    command->add_option("NAME", options.mcp.server, "Name of the server")->required();
}

void add_auth(CLI::App& mcp, Options& options) {
  CLI::App* auth = mcp.add_subcommand("auth", "Manage logins to remote servers (OAuth)");
  auth->require_subcommand(1);
  auth->fallthrough();
  CLI::App* status =
      add_mcp_command(*auth, options, "status", "Show logins and when they expire", mcp_auth_status);
  status->add_option("SERVER", options.mcp.server, "Only this server");
  add_json(status, options);
  CLI::App* login =
      add_mcp_command(*auth, options, "login", "Log in to a server through a browser", mcp_auth_login);
  login->footer("Exit status: 0 on success, 1 on failure, 2 for wrong usage, 130 if interrupted.");
  login->add_option("SERVER", options.mcp.server, "Name of the server")->required();
  login->add_flag("--no-browser", options.mcp.auth.no_browser, "Print the URL to open, but start no browser");
  login
      ->add_option("--scope", options.mcp.auth.scope,
                   "Scopes to request in addition to those that the server asks for")
      ->type_name("SCOPES");
  login
      ->add_option("--issuer", options.mcp.auth.issuer,
                   "Log in only at this authorization server, of those that the server names")
      ->type_name("URL");
  login
      ->add_option("--client-id", options.mcp.auth.client_id,
                   "ID of a manually registered client (its secret, if any: LEANBRIDGE_CLIENT_SECRET)")
      ->type_name("ID");
  login->add_option("--wait", options.mcp.auth.patience_s, "How long to wait for the browser (default: 300)")
      ->check(CLI::Range(1.0, 3600.0));
  CLI::App* logout =
      add_mcp_command(*auth, options, "logout", "Revoke a server's token and remove it", mcp_auth_logout);
  logout->add_option("SERVER", options.mcp.server, "Name of the server")->required();
}

void add_serve_config(CLI::App& mcp, Options& options) {
  CLI::App* config =
      add_mcp_command(mcp, options, "serve-config",
                      "Print host configuration that starts leanbridge with these flags", mcp_serve_config);
  std::vector<std::string> words = hosts::host_words();
  words.emplace_back("claude");
  config
      ->add_option(
          "--host", options.mcp.host,
          "Host to configure: claude-code (or claude), claude-desktop, codex, gemini, cursor, vscode, zed or "
          "opencode (default: claude-code)")
      ->type_name("HOST")
      ->check(CLI::IsMember(words));
  add_json(config, options);
}

}  // namespace

void add_mcp(CLI::App& app, Options& options) {
  CLI::App* mcp = app.add_subcommand("mcp", "Inspect, call and manage other MCP servers");
  mcp->footer(
      "  leanbridge mcp list                          which are configured, and where\n"
      "  leanbridge mcp test                          connects to each\n"
      "  leanbridge mcp call files read path=a.txt    one tool of the server `files`\n"
      "  leanbridge mcp serve-config --host zed       the entry that starts leanbridge");
  mcp->require_subcommand(1);
  mcp->fallthrough();
  add_inspection(*mcp, options);
  add_call(*mcp, options);
  add_trust(*mcp, options);
  add_serve_config(*mcp, options);
  add_auth(*mcp, options);
}

}  // namespace leanbridge::app
