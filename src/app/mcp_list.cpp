// leanbridge mcp list.

#include "leanbridge/text/untrusted.hpp"

#include "mcp_commands.hpp"
#include "output.hpp"
#include "table.hpp"
#include "upstream_files.hpp"
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace leanbridge::app {

using nlohmann::json;
using upstream::Origin;
using upstream::ServerConfig;

namespace {

struct Listed {
  ServerConfig server;
  std::string consent;
  std::string note;
};

std::string place(const std::filesystem::path& file, int line) {
  return file.string() + (line > 0 ? ":" + std::to_string(line) : "");
}

// Turned off all at once is no reason to hide what there is.
std::vector<Listed> servers_of(const Options& options, upstream::Allowed& found) {
  const upstream::Selection selection = upstream::Selection::parse(options.upstream);
  found = read_upstreams(options, selection.none ? upstream::Selection() : selection);
  const std::filesystem::path workspace = upstream_workspace(options);
  const upstream::TrustFile trust = trust_file();
  std::vector<Listed> all;
  for (const ServerConfig& server : found.config.servers) {
    const bool in_workspace = server.origin == Origin::Workspace;
    const char* consent = !in_workspace                     ? "not needed"
                          : trust.allows(server, workspace) ? "trusted"
                                                            : "--upstream";
    all.push_back({server, consent, ""});
  }
  for (const ServerConfig& server : found.without_consent)
    all.push_back(
        {server, "none", "Not connected: run `leanbridge mcp trust " + text::shell_word(server.name) + "`."});
  if (selection.none)
    for (Listed& each : all) each = {each.server, "off", "Not connected: --upstream says none."};
  std::stable_sort(all.begin(), all.end(),
                   [](const Listed& a, const Listed& b) { return a.server.name < b.server.name; });
  return all;
}

json to_json(const Listed& listed) {
  const ServerConfig& server = listed.server;
  const char* origin = server.origin == Origin::Workspace ? "workspace"
                       : server.origin == Origin::User    ? "user"
                                                          : "extension";
  json object = {{"name", server.name},
                 {"transport", upstream::name_of(server.transport)},
                 {"origin", origin},
                 {"consent", listed.consent},
                 {"file", server.file.string()},
                 {"line", server.line}};
  for (const EntryLine& line : lines_of(server)) object[line.what] = line.text;
  return object;
}

json to_json(const upstream::ConfigProblem& problem) {
  return {{"server", problem.server.empty() ? json() : json(problem.server)},
          {"file", problem.file.string()},
          {"line", problem.line > 0 ? json(problem.line) : json()},
          {"message", problem.message},
          {"fix", problem.fix}};
}

}  // namespace

int mcp_list(const Options& options) {
  upstream::Allowed found;
  const std::vector<Listed> servers = servers_of(options, found);
  if (options.as_json) {
    json all = {{"workspace", upstream_workspace(options).string()},
                {"trust_file", trust_file().path().string()},
                {"servers", json::array()},
                {"problems", json::array()}};
    for (const Listed& each : servers) all["servers"].push_back(to_json(each));
    for (const auto& problem : found.config.problems) all["problems"].push_back(to_json(problem));
    print_json(all);
    return 0;
  }
  Table table({{"NAME", 30}, {"TRANSPORT"}, {"CONSENT"}, {"FILE", 0, true}});
  for (const Listed& each : servers)
    table.add({each.server.name, upstream::name_of(each.server.transport), each.consent,
               place(each.server.file, each.server.line)},
              each.note);
  for (const auto& problem : found.config.problems)
    table.add(
        {problem.server.empty() ? "-" : problem.server, "-", "bad entry", place(problem.file, problem.line)},
        problem.message + " " + problem.fix);
  if (!table.empty()) {
    table.print();
    return 0;
  }
  std::fprintf(stderr, "No other servers are configured, neither in %s nor in the home folder.\n",
               upstream_workspace(options).c_str());
  return 0;
}

}  // namespace leanbridge::app
