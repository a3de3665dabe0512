// leanbridge mcp list, test, tools, prompts: shows the configuration, and the items that the servers offer.

#include "commands.hpp"
#include "core/base/enum_names.hpp"
#include "core/base/json.hpp"
#include "core/program/output.hpp"
#include "core/text/untrusted.hpp"
#include "gateway/command/gateway_options.hpp"
#include "upstream_files.hpp"
#include "upstream_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

namespace leanbridge::app {

using nlohmann::json;
using upstream::Origin;
using upstream::ServerConfig;

// --- leanbridge mcp list

namespace {

// The reason why connecting to a server is allowed, or is not.
enum class Consent { NotNeeded, Trusted, ByOption, None, Off };
wire::Names<Consent> names_of(Consent) {
  return {{Consent::NotNeeded, "not needed"},
          {Consent::Trusted, "trusted"},
          {Consent::ByOption, "--upstream"},
          {Consent::None, "none"},
          {Consent::Off, "off"}};
}

struct ListedServer {
  ServerConfig server;
  Consent consent = Consent::None;
};

std::string note_of(const ListedServer& listed) {
  if (listed.consent == Consent::Off) return "Not connected: --upstream is none.";
  if (listed.consent == Consent::None)
    return "Not connected: run `leanbridge mcp trust " + text::shell_word(listed.server.name) + "` first.";
  return "";
}

std::string location(const std::filesystem::path& file, int line) {
  return file.string() + (line > 0 ? ":" + std::to_string(line) : "");
}

// Even with --upstream none, lists the servers.
std::vector<ListedServer> servers_of(const Options& options, upstream::AllowedServers& found) {
  const upstream::Selection selection = upstream::Selection::parse(options.of<UpstreamOptions>().names);
  const bool none = selection.mode == upstream::Selection::Mode::None;
  found = read_upstreams(options, none ? upstream::Selection() : selection);
  const std::filesystem::path workspace = upstream_workspace(options);
  const upstream::TrustFile trust = trust_file();
  std::vector<ListedServer> all;
  for (const ServerConfig& server : found.config.servers) {
    const bool in_workspace = server.origin == Origin::Workspace;
    const Consent consent = !in_workspace                     ? Consent::NotNeeded
                            : trust.allows(server, workspace) ? Consent::Trusted
                                                              : Consent::ByOption;
    all.push_back({server, consent});
  }
  for (const ServerConfig& server : found.without_consent) all.push_back({server, Consent::None});
  if (none)
    for (ListedServer& each : all) each.consent = Consent::Off;
  std::ranges::stable_sort(
      all, [](const ListedServer& a, const ListedServer& b) { return a.server.name < b.server.name; });
  return all;
}

json to_json(const ListedServer& listed) {
  const ServerConfig& server = listed.server;
  const char* origin = server.origin == Origin::Workspace ? "workspace"
                       : server.origin == Origin::User    ? "user"
                                                          : "extension";
  json object = {{"name", server.name},
                 {"transport", wire::name_of(server.transport)},
                 {"origin", origin},
                 {"consent", wire::name_of(listed.consent)},
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
  upstream::AllowedServers found;
  const std::vector<ListedServer> servers = servers_of(options, found);
  if (options.as_json) {
    json all = {{"workspace", upstream_workspace(options).string()},
                {"trust_file", trust_file().path().string()},
                {"servers", json::array()},
                {"problems", json::array()}};
    for (const ListedServer& each : servers) all["servers"].push_back(to_json(each));
    for (const auto& problem : found.config.problems) all["problems"].push_back(to_json(problem));
    print_json(all);
    return 0;
  }
  Table table({{"NAME", 30}, {"TRANSPORT"}, {"CONSENT"}, {"FILE", 0, true}});
  for (const ListedServer& each : servers)
    table.add({each.server.name, wire::name_of(each.server.transport), wire::name_of(each.consent),
               location(each.server.file, each.server.line)},
              note_of(each));
  for (const auto& problem : found.config.problems)
    table.add({problem.server.empty() ? "-" : problem.server, "-", "bad entry",
               location(problem.file, problem.line)},
              problem.message + " " + problem.fix);
  if (!table.empty()) {
    table.print();
    return 0;
  }
  print_paragraph(stderr, no_servers_configured(options));
  return 0;
}

// --- leanbridge mcp tools, mcp prompts

namespace {

enum class Kind { Tools, Prompts };

std::string description_of(const json& item) {
  for (const char* member : {"description", "title"})
    if (item.contains(member) && item[member].is_string()) return item[member].get<std::string>();
  return "";
}

class Listing {
 public:
  Listing(UpstreamRun& run, Kind kind, std::vector<std::shared_ptr<upstream::Client>> clients)
      : run_(run), kind_(kind), clients_(std::move(clients)) {}

  asio::awaitable<int> operator()(std::shared_ptr<io::CancelSource> cancel) {
    const std::vector<Attempt> attempts = co_await run_.connect(clients_, cancel);
    if (cancel->cancelled()) co_return kInterrupted;
    json items = json::array(), failed = json::array();
    if (run_.hub()) items = described();
    for (const Attempt& attempt : attempts)
      if (attempt.error)
        failed.push_back({{"server", attempt.client->config().name}, {"error", error_json(*attempt.error)}});
    const int code = failed.empty() ? 0 : kFailed;
    if (run_.options().as_json)
      print_json(
          {{kind_ == Kind::Tools ? "tools" : "prompts", std::move(items)}, {"failed", std::move(failed)}});
    else
      print(items, attempts);
    co_return code;
  }

 private:
  // The offered items, each with its server and its own name.
  json described() const {
    const bool tools = kind_ == Kind::Tools;
    json items = tools ? run_.hub()->tools() : run_.hub()->prompts();
    for (json& item : items) {
      const std::string name = item["name"].get<std::string>();
      const auto target = tools ? run_.hub()->find_tool(name) : run_.hub()->find_prompt(name);
      if (!target) continue;
      item["server"] = target->client->config().name;
      item["own_name"] = target->item;
    }
    return items;
  }

  void print(const json& items, const std::vector<Attempt>& attempts) const {
    Table table({{"NAME", 45}, {"OWN NAME", 25}, {"DESCRIPTION", 0, true}});
    for (const json& item : items)
      table.add({item.value("name", ""), item.value("own_name", ""), first_sentence(description_of(item))});
    if (!table.empty()) table.print();
    std::fflush(stdout);
    for (const Attempt& attempt : attempts) {
      if (attempt.error) print_error(*attempt.error);
      for (const std::string& problem : attempt.client->offer().problems)
        std::fprintf(stderr, "%s: %s\n", one_line(attempt.client->config().name).c_str(),
                     one_line(problem).c_str());
    }
  }

  UpstreamRun& run_;
  Kind kind_;
  std::vector<std::shared_ptr<upstream::Client>> clients_;
};

// Prints what is missing from the list and why, on stderr, to keep it out of lists.
void report_omissions(UpstreamRun& run) {
  if (const std::string nothing = nothing_to_connect(run); !nothing.empty()) print_paragraph(stderr, nothing);
  for (const auto& server : run.found().without_consent)
    std::fprintf(stderr, "Skipping %s: it needs consent. Run `leanbridge mcp trust %s` to allow it.\n",
                 one_line(server.name).c_str(), one_line(server.name).c_str());
  for (const auto& problem : run.found().config.problems)
    std::fprintf(stderr, "%s\n", one_line(problem.describe()).c_str());
}

int list(const Options& options, Kind kind) {
  UpstreamRun run(options);
  auto clients = run.chosen(options.of<McpOptions>().server);
  if (!clients) return report(clients.error());
  if (options.of<McpOptions>().server.empty()) report_omissions(run);
  Listing listing(run, kind, std::move(*clients));
  return run.run(std::ref(listing));
}

}  // namespace

int mcp_tools(const Options& options) {
  return list(options, Kind::Tools);
}

int mcp_prompts(const Options& options) {
  return list(options, Kind::Prompts);
}

// --- leanbridge mcp test

namespace {

struct TestReport {
  std::vector<Attempt> attempts;
  const upstream::AllowedServers* found = nullptr;
  bool all_servers = false;  // no server was named: also report bad entries and missing consents
};

json to_json(const Attempt& attempt) {
  json object = attempt.client->health();
  for (const char* session_only : {"connects", "pending_requests", "pid", "last_error"})
    object.erase(session_only);
  object["status"] = attempt.error ? "failed" : "ok";
  object["ms"] = std::lround(attempt.ms);
  if (attempt.error) object["error"] = error_json(*attempt.error);
  return object;
}

json to_json(const TestReport& report) {
  json servers = json::array(), problems = json::array();
  for (const Attempt& attempt : report.attempts) servers.push_back(to_json(attempt));
  if (report.all_servers) {
    for (const auto& server : report.found->without_consent)
      servers.push_back({{"name", server.name},
                         {"transport", wire::name_of(server.transport)},
                         {"status", "needs_consent"}});
    for (const auto& problem : report.found->config.problems) problems.push_back(problem.describe());
  }
  return {{"servers", std::move(servers)}, {"problems", std::move(problems)}};
}

void add(Table& table, const Attempt& attempt, bool terminal) {
  const upstream::Client& client = *attempt.client;
  const std::string revision = client.revision();
  const json& info = client.server_info();
  const std::string title = text_member(info, "name") + " " + text_member(info, "version");
  const std::string error = attempt.error ? attempt.error->message + " " + attempt.error->hint : "";
  std::vector<std::string> texts = {
      client.config().name,
      attempt.error ? "FAILED" : "ok",
      revision.empty() ? "-" : (client.modern() ? "modern " : "legacy ") + revision,
      title,
      std::to_string(client.offer().tools.size()),
      std::to_string(client.offer().prompts.size()),
      std::to_string(std::lround(attempt.ms))};
  if (!terminal) texts.push_back(error);
  std::string below = error;
  for (const std::string& problem : client.offer().problems) below += (below.empty() ? "" : " ") + problem;
  table.add(std::move(texts), below);
}

void print(const TestReport& report) {
  const bool terminal = is_terminal(stdout);
  std::vector<Table::Column> columns = {{"NAME", 25}, {"STATUS"},  {"ERA"}, {"SERVER", 0, true},
                                        {"TOOLS"},    {"PROMPTS"}, {"MS"}};
  if (!terminal) columns.push_back({"ERROR"});
  Table table(std::move(columns));
  for (const Attempt& attempt : report.attempts) add(table, attempt, terminal);
  if (report.all_servers) {
    for (const auto& server : report.found->without_consent)
      table.add({server.name, "no consent", "-", "-", "-", "-", "-"},
                "Run `leanbridge mcp trust " + text::shell_word(server.name) + "` to allow it.");
    for (const auto& problem : report.found->config.problems)
      table.add({problem.server.empty() ? "-" : problem.server, "bad entry", "-", "-", "-", "-", "-",
                 problem.describe()},
                problem.describe());
  }
  if (!table.empty()) table.print();
}

class Test {
 public:
  Test(UpstreamRun& run, std::vector<std::shared_ptr<upstream::Client>> clients)
      : run_(run), clients_(std::move(clients)) {}

  asio::awaitable<int> operator()(std::shared_ptr<io::CancelSource> cancel) {
    TestReport report;
    report.found = &run_.found();
    report.all_servers = run_.options().of<McpOptions>().server.empty();
    report.attempts = co_await run_.connect(clients_, cancel);
    if (cancel->cancelled()) co_return kInterrupted;
    if (run_.options().as_json)
      print_json(to_json(report));
    else
      print(report);
    bool failed = report.all_servers && !report.found->config.problems.empty();
    for (const Attempt& attempt : report.attempts) failed = failed || attempt.error;
    co_return failed ? kFailed : 0;
  }

 private:
  UpstreamRun& run_;
  std::vector<std::shared_ptr<upstream::Client>> clients_;
};

}  // namespace

int mcp_test(const Options& options) {
  UpstreamRun run(options);
  auto clients = run.chosen(options.of<McpOptions>().server);
  if (!clients) return report(clients.error());
  if (const std::string nothing = nothing_to_connect(run); !nothing.empty()) print_paragraph(stderr, nothing);
  Test test(run, std::move(*clients));
  return run.run(std::ref(test));
}

}  // namespace leanbridge::app
