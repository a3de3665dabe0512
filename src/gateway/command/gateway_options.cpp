// The flags and commands of the gateway.

#include "gateway_options.hpp"

#include "commands.hpp"
#include "core/program/option_readers.hpp"
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace leanbridge::app {

namespace {

constexpr int kMostAtOnce = 100'000;
constexpr const char* kSaveMedia = "LEANBRIDGE_SAVE_MEDIA";

// Adds a command that also accepts the flags of the server itself.
CLI::App* add_mcp_command(CLI::App& parent, Options& options, const char* name, const char* description,
                          int (*run)(const Options& options)) {
  CLI::App* command = parent.add_subcommand(name, description);
  command->fallthrough();
  command->callback([&options, run] { options.command = run; });
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
    command->add_option("SERVER", options.of<McpOptions>().server, "Only this server");
    add_json(command, options);
  }
}

void add_call(CLI::App& mcp, Options& options) {
  CLI::App* call = add_mcp_command(mcp, options, "call", "Call one tool of a server", mcp_call);
  call->footer("Exit status: 0 on success, 1 on failure, 2 for wrong usage, 130 if interrupted.");
  call->add_option("SERVER", options.of<McpOptions>().server, "Name of the server")->required();
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
  trust->add_flag("--yes", options.of<McpOptions>().yes,
                  "Do not ask for confirmation: you have read the entry");
  CLI::App* untrust =
      add_mcp_command(mcp, options, "untrust", "Revoke trust in a server of the workspace", mcp_untrust);
  for (CLI::App* command : {trust, untrust})
    command->add_option("NAME", options.of<McpOptions>().server, "Name of the server")->required();
}

void add_auth(CLI::App& mcp, Options& options) {
  CLI::App* auth = mcp.add_subcommand("auth", "Manage logins to remote servers (OAuth)");
  auth->require_subcommand(1);
  auth->fallthrough();
  CLI::App* status =
      add_mcp_command(*auth, options, "status", "Show logins and when they expire", mcp_auth_status);
  status->add_option("SERVER", options.of<McpOptions>().server, "Only this server");
  add_json(status, options);
  CLI::App* login =
      add_mcp_command(*auth, options, "login", "Log in to a server through a browser", mcp_auth_login);
  login->footer("Exit status: 0 on success, 1 on failure, 2 for wrong usage, 130 if interrupted.");
  login->add_option("SERVER", options.of<McpOptions>().server, "Name of the server")->required();
  login->add_flag("--no-browser", options.of<McpOptions>().auth.no_browser,
                  "Print the URL to open, but start no browser");
  login
      ->add_option("--scope", options.of<McpOptions>().auth.scope,
                   "Scopes to request in addition to those that the server asks for")
      ->type_name("SCOPES");
  login
      ->add_option("--issuer", options.of<McpOptions>().auth.issuer,
                   "Log in only at this authorization server, of those that the server names")
      ->type_name("URL");
  login
      ->add_option("--client-id", options.of<McpOptions>().auth.client_id,
                   "ID of a manually registered client (its secret, if any: LEANBRIDGE_CLIENT_SECRET)")
      ->type_name("ID");
  add_number(*login, "--wait", options.of<McpOptions>().auth.patience_s, 1.0, 3600.0,
             "How long to wait for the browser");
  CLI::App* logout =
      add_mcp_command(*auth, options, "logout", "Revoke a server's token and remove it", mcp_auth_logout);
  logout->add_option("SERVER", options.of<McpOptions>().server, "Name of the server")->required();
}

// Why `folder` is no path of a folder; empty: it is one. A URL such as `https://host/x` would count as a
// relative path.
std::string not_a_folder(const std::string& folder) {
  const std::size_t scheme = std::min(folder.find(":/"), folder.size());
  const bool is_url =
      scheme >= 2 && scheme < folder.size() &&
      std::all_of(folder.begin(), folder.begin() + static_cast<std::ptrdiff_t>(scheme),
                  [](unsigned char c) { return std::isalnum(c) || c == '+' || c == '-' || c == '.'; });
  return is_url ? folder + " is a URL. Pass the path of a directory on this machine." : "";
}

}  // namespace

void add_upstream(CLI::App& app, Options& options) {
  UpstreamOptions& upstream = options.of<UpstreamOptions>();
  add_text(app, "--upstream", upstream.names,
           "MCP servers of the workspace to connect to: comma-separated names, or all; none disables every "
           "other server",
           {{"LEANBRIDGE_UPSTREAM"}})
      ->type_name("NAMES");
  app.add_flag("--lazy-upstream", upstream.lazy,
               "Instead of all tools of other servers, offer three that list, describe and call them");
  add_text(app, "--save-media", upstream.save_media,
           "Also save images, audio and resources in other servers' results to this directory",
           {{kSaveMedia}})
      ->check(CLI::Validator(not_a_folder, "DIR"));
  if (const std::string why = not_a_folder(upstream.save_media); !why.empty()) {
    std::fprintf(stderr, "leanbridge: ignoring %s: %s\n", kSaveMedia, why.c_str());
    upstream.save_media.clear();
  }
}

void add_serve(CLI::App& app, Options& options) {
  HttpOptions& http = options.of<HttpOptions>();
  CLI::App* serve =
      app.add_subcommand("serve", "Serve MCP: over HTTP to many clients, or on stdin and stdout");
  serve->footer(
      "  leanbridge serve --http 127.0.0.1:8765            http://127.0.0.1:8765/mcp, for this machine\n"
      "  leanbridge serve --http unix:/run/lean.sock       for this user\n\n"
      "Exit status: 0 at its end, also by a signal; 1 if it cannot listen there, 2 for wrong usage.");
  serve->fallthrough();
  CLI::Option* address = serve->add_option(
      "--http", http.address, "Listen on IP:PORT (port 0: any free one) or unix:PATH; MCP is at /mcp");
  address->type_name("ADDRESS");
  serve->add_flag("--read-only", options.read_only,
                  "Leave out every tool that writes files, builds, or elaborates text of the caller");
  for (CLI::Option* option :
       {serve->add_flag(
            "--listen-any", http.listen_any,
            "Allow an address that other machines reach; needs --token-file, and a proxy for TLS"),
        serve
            ->add_option("--token-file", http.token_file,
                         "Require one of the tokens in this file, one a line, as Authorization: Bearer")
            ->type_name("FILE"),
        serve->add_option("--allow-host", http.hosts, "Also accept this name in Host and Origin (repeatable)")
            ->type_name("NAME")
            ->allow_extra_args(false),
        serve
            ->add_option("--access-log", http.access_log,
                         "Append a line of JSON for each request to this file; - is stderr")
            ->type_name("FILE"),
        add_number(*serve, "--max-connections", http.max_connections, 1, kMostAtOnce, "Connections at once"),
        add_number(*serve, "--max-calls", http.max_calls, 1, kMostAtOnce, "Requests in progress at once"),
        add_number(*serve, "--max-client-calls", http.max_client_calls, 1, kMostAtOnce,
                   "Requests in progress at once from one client")})
    option->needs(address);
  serve->callback([&options] { options.command = nullptr; });
}

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
  add_auth(*mcp, options);
}

}  // namespace leanbridge::app
