#include "gateway_part.hpp"

#include "core/program/runtime.hpp"
#include "core/tools/server_health.hpp"
#include "gateway/command/gateway_options.hpp"
#include "gateway/command/upstream_files.hpp"
#include "gateway/serving/serve_http.hpp"
#include "gateway/upstream/oauth.hpp"
#include "search/search_part.hpp"
#include "search/sources/upstream_backend.hpp"

#include <functional>

namespace leanbridge::app {

using nlohmann::json;
using upstream::Client;

namespace {

// --- other MCP servers as sources of search

// A failure to reach the server, in the terms of search. The backend reads errors of the tool itself.
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

search::UpstreamTool search_tool_of(const std::shared_ptr<Client>& client, bool offline) {
  const upstream::ServerConfig& server = client->config();
  search::UpstreamTool tool;
  tool.service = server.search;
  tool.server = server.name;
  tool.tool = server.search_tool;
  // This is a hash, because the entry may contain secrets.
  tool.identity = std::to_string(std::hash<std::string>()(server.definition.dump()));
  tool.disabled = offline;
  tool.offer = [client](io::CancelScope scope) { return offer_of(client, std::move(scope)); };
  tool.call = [client](std::string name, json arguments, io::CancelScope scope) {
    return call_tool(client, std::move(name), std::move(arguments), std::move(scope));
  };
  return tool;
}

// Adds the servers whose entry has a `search`. `services` and `hub` must outlive all queries.
void add_search_sources(search::Services& services, upstream::Hub& hub, bool offline) {
  for (const auto& client : hub.clients())
    if (!client->config().search.empty()) services.add(search_tool_of(client, offline));
}

}  // namespace

void UpstreamClient::connect() {
  const Options& options = runtime_.options();
  const UpstreamOptions& given = options.of<UpstreamOptions>();
  const bool offline = options.of<search::Config>().offline;
  found_ = read_upstreams(options);
  warn_without_consent(found_);
  if (found_.config.servers.empty() && found_.config.problems.empty()) return;
  upstream::HubOptions hub;
  hub.client.version = LEANBRIDGE_VERSION;
  hub.client.offline = offline;
  hub.lazy = given.lazy;
  hub.own_tool = [this](const std::string& name) { return runtime_.tools().find(name) != nullptr; };
  http::ClientOptions http;
  http.user_agent = "leanbridge/" LEANBRIDGE_VERSION;
  http.max_connections = 256;    // each remote server may keep a connection open for events
  http.loopback_only = offline;  // this applies to redirects and authorization servers, too
  http_.emplace(runtime_.context(), std::move(http));
  if (!given.save_media.empty()) {
    media_ = std::make_shared<upstream::MediaFolder>(given.save_media);
    hub.on_result = [this](nlohmann::json result, std::string source, io::CancelScope scope) {
      return save_media(std::move(result), std::move(source), std::move(scope));
    };
  }
  // A session does not log in: if a server needs a login, its error and its health name the command to run.
  const upstream::TokenStore tokens(upstream::TokenStore::default_folder());
  auto authorization =
      std::make_shared<upstream::OAuth>(runtime_.context(), *http_, tokens, upstream::OAuthOptions());
  hub.factory = upstream::make_transports(runtime_.context(), *http_, std::move(authorization));
  hub_.emplace(runtime_.context(), found_.config, std::move(hub));
  if (auto* const searches = runtime_.part<SearchClient>())
    add_search_sources(searches->services(), *hub_, offline);
}

// Saves the media in a result. The result keeps its content. If a file cannot be written, the result says so
// instead of getting lost.
asio::awaitable<nlohmann::json> UpstreamClient::save_media(nlohmann::json result, std::string source,
                                                           io::CancelScope scope) {
  if (!result.contains("content") || !upstream::holds_media(result["content"])) co_return result;
  auto content = std::make_shared<const nlohmann::json>(result["content"]);
  const auto write = [media = media_, content, source]() -> Result<std::vector<upstream::SavedMedia>> {
    return media->save(*content, source);
  };
  const auto saved = co_await runtime_.pool().run(write, scope);
  if (!saved) co_return result;
  co_return upstream::with_paths(std::move(result), *saved);
}

void UpstreamClient::add_health(tools::ServerHealth& health) {
  if (hub_) health.upstreams = hub_->health();
}

void UpstreamClient::serve(const std::shared_ptr<mcp::Session>& session) {
  if (!hub_) return;
  hub_->on_changed = [weak = std::weak_ptr(session)](mcp::List list) {
    if (const auto open = weak.lock()) open->list_changed(list);
  };
  hub_->set_host(session->host());
}

void UpstreamClient::start() {
  if (hub_) hub_->start();
}

asio::awaitable<void> UpstreamClient::stop(io::Clock::duration grace) {
  if (hub_) co_await hub_->stop(grace);
}

void UpstreamClient::kill() {
  if (hub_) hub_->kill();
}

upstream::Hub* hub_of(Runtime& runtime) {
  auto* const client = runtime.part<UpstreamClient>();
  return client ? client->hub() : nullptr;
}

void GatewayPart::add_options(CLI::App& app, Options& options) {
  add_upstream(app, options);
  of_lean_lsp_mcp_.add_to(app);
  add_serve(app, options);
  add_mcp(app, options);
}

Result<void> GatewayPart::read_options(const EnvironmentLookup& variables, Options& options) {
  return of_lean_lsp_mcp_.read(variables, options);
}

std::optional<int> GatewayPart::serve(const Options& options, const StandardDescriptors&) {
  if (options.of<HttpOptions>().address.empty()) return std::nullopt;
  return serve_http(options);
}

std::unique_ptr<ClientPart> GatewayPart::start_client(Runtime& runtime) {
  return std::make_unique<UpstreamClient>(runtime);
}

}  // namespace leanbridge::app
