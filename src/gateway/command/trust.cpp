// leanbridge mcp trust and mcp untrust: the list of consents (docs/decisions/0007-consent.md).

#include "commands.hpp"
#include "core/program/output.hpp"
#include "core/text/untrusted.hpp"
#include "gateway/command/gateway_options.hpp"
#include "upstream_files.hpp"

#include <algorithm>
#include <cstdio>

namespace leanbridge::app {

using upstream::Origin;
using upstream::ServerConfig;

namespace {

const ServerConfig* find(const std::vector<ServerConfig>& servers, const std::string& name) {
  const auto found = std::ranges::find_if(servers, [&](const ServerConfig& s) { return s.name == name; });
  return found == servers.end() ? nullptr : &*found;
}

}  // namespace

int mcp_trust(const Options& options) {
  const std::string& name = options.of<McpOptions>().server;
  const std::filesystem::path workspace = upstream_workspace(options);
  upstream::TrustFile trust = trust_file();
  if (const std::string problem = trust.problem(); !problem.empty()) {
    print_error(Error(ErrorKind::InvalidArgument, problem));
    return kFailed;
  }
  // Ignore --upstream: servers that it allows would not be listed as lacking consent.
  const upstream::AllowedServers found = read_upstreams(options, upstream::Selection());
  const ServerConfig* server = find(found.without_consent, name);
  if (!server) {
    if (const ServerConfig* usable = found.config.find(name)) {
      std::printf("%s\n", usable->origin == Origin::Workspace
                              ? "The server is trusted already."
                              : "The server is configured in your home folder and needs no consent.");
      return 0;
    }
    for (const auto& problem : found.config.problems)
      if (problem.server == name) {
        print_error(Error(ErrorKind::InvalidArgument, problem.describe()));
        return kFailed;
      }
    return usage(Error(ErrorKind::InvalidArgument,
                       "There is no server " + name + " in " + workspace.string() + ".",
                       "Run `leanbridge mcp list` to see the configured servers."));
  }
  std::printf("%s:%d: server %s, %s\n", text::escaped(server->file.string()).c_str(), server->line,
              server->name.c_str(), wire::name_of(server->transport));
  for (const EntryLine& line : all_lines_of(*server))
    std::printf("  %-8s %s\n", line.what.c_str(), line.text.c_str());
  std::fflush(stdout);
  // Consent requires a person who sees the entry and answers by hand, not a script or a model that runs this
  // command.
  if (!options.of<McpOptions>().yes && !is_interactive()) {
    print_error(Error(ErrorKind::NotSupported, "Nothing was changed: giving consent needs a terminal.",
                      "Run this command in a terminal, or pass --yes once you have read the entry."));
    return kFailed;
  }
  if (!options.of<McpOptions>().yes &&
      !agreed("Trust it in " + text::escaped(workspace.string()) + " from now on?")) {
    std::fprintf(stderr, "Nothing was changed.\n");
    return kFailed;
  }
  if (const auto added = trust.add(*server, workspace); !added) {
    print_error(added.error());
    return kFailed;
  }
  std::printf("Trusted in %s until the entry changes (recorded in %s)\n", workspace.c_str(),
              trust.path().c_str());
  return 0;
}

int mcp_untrust(const Options& options) {
  const std::filesystem::path workspace = upstream_workspace(options);
  upstream::TrustFile trust = trust_file();
  const auto removed = trust.remove(options.of<McpOptions>().server, workspace);
  if (!removed || !*removed) {
    print_error(removed ? Error(ErrorKind::InvalidArgument, "There is no consent to " +
                                                                options.of<McpOptions>().server + " in " +
                                                                workspace.string() + " to revoke.")
                        : removed.error());
    return kFailed;
  }
  std::printf("No longer trusted in %s: %s\n", workspace.c_str(), options.of<McpOptions>().server.c_str());
  return 0;
}

}  // namespace leanbridge::app
