// leanbridge mcp test.

#include "leanbridge/base/json.hpp"

#include "app/commands/output.hpp"
#include "commands.hpp"
#include "upstream_run.hpp"
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <functional>

namespace leanbridge::app {

using nlohmann::json;

namespace {

struct TestReport {
  std::vector<Attempt> attempts;
  const upstream::Allowed* found = nullptr;
  bool with_others = false;  ///< no single server was asked for: bad entries and missing consents belong here
};

json to_json(const Attempt& attempt) {
  json object = attempt.client->health();
  for (const char* of_sessions : {"connects", "pending_requests", "pid", "last_error"})
    object.erase(of_sessions);
  object["status"] = attempt.error ? "failed" : "ok";
  object["ms"] = std::lround(attempt.ms);
  if (attempt.error) object["error"] = error_json(*attempt.error);
  return object;
}

json to_json(const TestReport& report) {
  json servers = json::array(), problems = json::array();
  for (const Attempt& attempt : report.attempts) servers.push_back(to_json(attempt));
  if (report.with_others) {
    for (const auto& server : report.found->without_consent)
      servers.push_back({{"name", server.name},
                         {"transport", upstream::name_of(server.transport)},
                         {"status", "needs_consent"}});
    for (const auto& problem : report.found->config.problems) problems.push_back(problem.describe());
  }
  return {{"servers", std::move(servers)}, {"problems", std::move(problems)}};
}

void add(Table& table, const Attempt& attempt, bool terminal) {
  const upstream::Client& client = *attempt.client;
  const std::string revision = client.revision();
  const json& info = client.server_info();
  const std::string said = text_member(info, "name") + " " + text_member(info, "version");
  const std::string error = attempt.error ? attempt.error->message + " " + attempt.error->hint : "";
  std::vector<std::string> texts = {
      client.config().name,
      attempt.error ? "FAILED" : "ok",
      revision.empty() ? "-" : (client.modern() ? "modern " : "legacy ") + revision,
      said,
      std::to_string(client.offer().tools.size()),
      std::to_string(client.offer().prompts.size()),
      std::to_string(std::lround(attempt.ms))};
  if (!terminal) texts.push_back(error);
  std::string below = error;
  for (const std::string& problem : client.offer().problems) below += (below.empty() ? "" : " ") + problem;
  table.add(std::move(texts), below);
}

void print(const TestReport& report) {
  const bool terminal = ::isatty(STDOUT_FILENO) != 0;
  std::vector<Table::Column> columns = {{"NAME", 25}, {"STATUS"},  {"ERA"}, {"SERVER", 0, true},
                                        {"TOOLS"},    {"PROMPTS"}, {"MS"}};
  if (!terminal) columns.push_back({"ERROR"});
  Table table(std::move(columns));
  for (const Attempt& attempt : report.attempts) add(table, attempt, terminal);
  if (report.with_others) {
    for (const auto& server : report.found->without_consent)
      table.add({server.name, "no consent", "-", "-", "-", "-", "-"},
                "Run `leanbridge mcp trust " + text::shell_word(server.name) + "`.");
    for (const auto& problem : report.found->config.problems)
      table.add({problem.server.empty() ? "-" : problem.server, "bad entry", "-", "-", "-", "-", "-",
                 problem.describe()},
                problem.describe());
  }
  table.print();
}

class Test {
 public:
  Test(UpstreamRun& run, std::vector<std::shared_ptr<upstream::Client>> clients)
      : run_(run), clients_(std::move(clients)) {}

  asio::awaitable<int> operator()(std::shared_ptr<io::CancelSource> cancel) {
    TestReport report;
    report.found = &run_.found();
    report.with_others = run_.options().mcp.server.empty();
    report.attempts = co_await run_.connect(clients_, cancel);
    if (cancel->cancelled()) co_return kInterrupted;
    if (run_.options().as_json)
      print_json(to_json(report));
    else
      print(report);
    bool failed = report.with_others && !report.found->config.problems.empty();
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
  auto clients = run.chosen(options.mcp.server);
  if (!clients) return report(clients.error());
  if (const std::string nothing = nothing_to_connect(run); !nothing.empty())
    std::fprintf(stderr, "%s\n", nothing.c_str());
  Test test(run, std::move(*clients));
  return run.run(std::ref(test));
}

}  // namespace leanbridge::app
