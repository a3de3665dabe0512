// leanbridge mcp tools, mcp prompts: what other servers offer.

#include "mcp_commands.hpp"
#include "table.hpp"
#include "upstream_run.hpp"

#include <cstdio>
#include <functional>

namespace leanbridge::app {

using nlohmann::json;

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
  // As they are offered, with whose they are.
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

// What is left out, and why: on stderr, so that it does not get into lists.
void tell_of_others(UpstreamRun& run) {
  if (const std::string nothing = nothing_to_connect(run); !nothing.empty())
    std::fprintf(stderr, "%s\n", nothing.c_str());
  for (const auto& server : run.found().without_consent)
    std::fprintf(stderr, "%s is left out: it needs consent; run `leanbridge mcp trust %s`.\n",
                 one_line(server.name).c_str(), one_line(server.name).c_str());
  for (const auto& problem : run.found().config.problems)
    std::fprintf(stderr, "%s\n", one_line(problem.describe()).c_str());
}

int list(const Options& options, Kind kind) {
  UpstreamRun run(options);
  auto clients = run.chosen(options.mcp.server);
  if (!clients) return report(clients.error());
  if (options.mcp.server.empty()) tell_of_others(run);
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

}  // namespace leanbridge::app
