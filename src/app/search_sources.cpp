#include "search_sources.hpp"

#include "leanbridge/search/upstream_backend.hpp"

#include <algorithm>
#include <functional>

namespace leanbridge::app {

using nlohmann::json;
using upstream::Client;

namespace {

// What is wrong between us and the server, as search counts it; what the tool itself says is read there.
search::Problem problem_of(const upstream::RequestError& error) {
  using search::Failure;
  Failure failure = Failure::ServerError;
  if (error.error.kind == ErrorKind::Timeout)
    failure = Failure::Timeout;
  else if (error.error.kind == ErrorKind::Cancelled)
    failure = Failure::Cancelled;
  else if (!error.answered)
    failure = Failure::Unavailable;
  return {failure, error.error.message, error.error.hint, {}, {}, 0, false};
}

asio::awaitable<search::Outcome<std::vector<json>>> offer_of(std::shared_ptr<Client> client,
                                                             io::CancelScope scope) {
  if (const auto ready = co_await client->ensure_ready(scope); !ready)
    co_return tl::unexpected(problem_of({ready.error(), std::nullopt}));
  co_return client->offer().tools;
}

asio::awaitable<search::Outcome<json>> call_tool(std::shared_ptr<Client> client, std::string tool,
                                                 json arguments, io::CancelScope scope) {
  json params = {{"name", std::move(tool)}, {"arguments", std::move(arguments)}};
  auto reply = co_await client->request("tools/call", std::move(params), scope);
  if (!reply) co_return tl::unexpected(problem_of(reply.error()));
  co_return std::move(*reply);
}

search::UpstreamTool source_of(const std::shared_ptr<Client>& client, bool offline) {
  const upstream::ServerConfig& server = client->config();
  search::UpstreamTool tool;
  tool.service = server.search;
  tool.server = server.name;
  tool.tool = server.search_tool;
  // A hash, since what is written there may be secret.
  tool.identity = std::to_string(std::hash<std::string>()(server.definition.dump()));
  tool.disabled = offline;
  tool.offer = [client](io::CancelScope scope) { return offer_of(client, std::move(scope)); };
  tool.call = [client](std::string name, json arguments, io::CancelScope scope) {
    return call_tool(client, std::move(name), std::move(arguments), std::move(scope));
  };
  return tool;
}

}  // namespace

void check_search_sources(upstream::Config& config) {
  const std::vector<std::string>& known = search::upstream_services();
  for (upstream::ServerConfig& server : config.servers) {
    if (server.search.empty() || std::find(known.begin(), known.end(), server.search) != known.end())
      continue;
    std::string names;
    for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
    config.problems.push_back({server.name, server.file, server.line,
                               "There is no search service '" + server.search + "'.",
                               "Write one of " + names + "."});
    server.search.clear();
  }
}

void add_search_sources(search::Services& services, upstream::Hub& hub, bool offline) {
  for (const auto& client : hub.clients())
    if (!client->config().search.empty()) services.add(source_of(client, offline));
}

}  // namespace leanbridge::app
