// A server for the official conformance suite: the program's transport and sessions with the fixtures that
// the suite calls. Prints `listening on URL` on stderr. No Lean.

#include "http/server.hpp"

#include "fixtures.hpp"
#include "gateway/streamable/access.hpp"
#include "gateway/streamable/endpoint.hpp"
#include <boost/asio/signal_set.hpp>
#include <signal.h>

#include <cstdio>

namespace {

using namespace leanbridge;

using AllFixtures = std::vector<std::shared_ptr<conformance::Fixtures>>;

// Each session has fixtures of its own, because they ask its client. They stay until the end: they hold the
// client, and so the session's connection.
std::shared_ptr<mcp::Session> make_session(asio::io_context& context, mcp::ToolRegistry& tools,
                                           AllFixtures& all, std::shared_ptr<mcp::TaskStore> tasks,
                                           std::weak_ptr<streamable::Endpoint> endpoint,
                                           std::function<void(mcp::Outgoing&&)> send) {
  const auto fixtures = all.emplace_back(std::make_shared<conformance::Fixtures>());
  const auto options = std::make_shared<mcp::SessionOptions>();
  options->version = "0";
  options->instructions = "A server for conformance tests.";
  options->prompts = conformance::own_prompts();
  options->resources = conformance::own_resources();
  options->provider = fixtures.get();
  options->tasks = tasks;
  auto session = std::make_shared<mcp::Session>(context, tools, options, std::move(send), [] {});
  fixtures->log = [weak = std::weak_ptr(session)](std::string_view level, const std::string& text) {
    if (const auto here = weak.lock()) here->log(level, text);
  };
  fixtures->host = session->host();
  fixtures->changed = [endpoint](mcp::Session::List list) {
    if (const auto here = endpoint.lock()) here->list_changed(list);
  };
  return session;
}

}  // namespace

int main() {
  ::signal(SIGPIPE, SIG_IGN);
  asio::io_context context{1};
  auto tools = mcp::ToolRegistry::select(conformance::own_tools(), {"proof"}, {});
  if (!tools) {
    std::fprintf(stderr, "%s\n", tools.error().message.c_str());
    return 2;
  }
  AllFixtures fixtures;
  const auto tasks =
      std::make_shared<mcp::TaskStore>(mcp::TaskLimits{.max_tasks = 256, .max_client_tasks = 256});
  std::shared_ptr<streamable::Endpoint> endpoint;
  streamable::EndpointHooks hooks;
  hooks.make_session = [&](std::function<void(mcp::Outgoing&&)> send) {
    return make_session(context, *tools, fixtures, tasks, endpoint, std::move(send));
  };
  hooks.input_schema = [](const std::string& tool, const nlohmann::json&) -> nlohmann::json {
    for (const nlohmann::json& entry : conformance::Fixtures().tools())
      if (entry["name"] == tool) return entry["inputSchema"];
    return nullptr;
  };
  endpoint = std::make_shared<streamable::Endpoint>(context, streamable::EndpointLimits(), std::move(hooks));

  http::ServerHandlers handlers;
  handlers.check = [](const http::IncomingRequest& head) {
    return streamable::refuse(head, streamable::AccessPolicy());
  };
  handlers.handle = [&](std::shared_ptr<http::Exchange> exchange) { endpoint->handle(std::move(exchange)); };
  auto server = http::Server::listen(context, {.host = "127.0.0.1"}, {}, std::move(handlers));
  if (!server) {
    std::fprintf(stderr, "%s\n", server.error().message.c_str());
    return 1;
  }
  std::fprintf(stderr, "listening on %s/mcp\n", (*server)->url().c_str());
  asio::signal_set signals(context, SIGTERM, SIGINT);
  signals.async_wait([&](boost::system::error_code error, int) {
    if (error) return;
    endpoint->close();
    (*server)->close();
    context.stop();
  });
  context.run();
  return 0;
}
