// A client for the official conformance suite: connects to the server whose URL is the last argument, with
// what connects to other servers in the program, and uses all that the server offers. The suite watches from
// the server's side.

#include "leanbridge/http/client.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/upstream/client.hpp"

#include <signal.h>

#include <cstdio>
#include <cstdlib>

namespace leanbridge::conformance {

using nlohmann::json;

namespace {

constexpr auto kLimit = std::chrono::seconds(100);  // below what runSuite gives a scenario

json environment_json(const char* name) {
  const char* text = std::getenv(name);
  return text ? json::parse(text, nullptr, false) : json();
}

// A value that fits the schema of an argument; of objects one that the suite wants to have back.
json sample(const json& schema, const json& object) {
  const json type = schema.is_object() ? schema.value("type", json("string")) : json("string");
  if (type == "number" || type == "integer") return 7;
  if (type == "boolean") return true;
  if (type == "object") return object;
  if (type == "array") return json::array();
  return "text";
}

json sample_arguments(const json& tool, const json& object) {
  json arguments = json::object();
  const json& schema = tool["inputSchema"];
  for (const json& name : schema.value("required", json::array())) {
    const std::string key = name.get<std::string>();
    arguments[key] = sample(schema.value("properties", json::object()).value(key, json()), object);
  }
  return arguments;
}

// The calls that a scenario asks for, else one of each tool.
std::vector<json> calls_for(const upstream::Offer& offer) {
  std::vector<json> calls;
  const json context = environment_json("MCP_CONFORMANCE_CONTEXT");
  if (context.is_object() && context.contains("toolCalls")) {
    for (const json& call : context["toolCalls"]) calls.push_back(call);
    return calls;
  }
  for (const json& tool : offer.tools)
    calls.push_back(
        {{"name", tool["name"]}, {"arguments", sample_arguments(tool, offer.tools.front()["inputSchema"])}});
  return calls;
}

class Driver {
 public:
  Driver(std::shared_ptr<upstream::Client> client, io::Scope scope)
      : client_(std::move(client)), scope_(std::move(scope)) {}

  asio::awaitable<int> run() {
    const Result<void> ready = co_await client_->ensure_ready(scope_);
    if (!ready) {
      std::fprintf(stderr, "not connected: %s %s\n", ready.error().message.c_str(),
                   ready.error().hint.c_str());
      co_return 1;
    }
    std::fprintf(stderr, "connected, %s\n", client_->revision().c_str());
    for (const std::string& problem : client_->offer().problems)
      std::fprintf(stderr, "%s\n", problem.c_str());
    const std::vector<json> calls = calls_for(client_->offer());
    for (const json& call : calls) co_await ask("tools/call", call);
    const std::vector<json> prompts = client_->offer().prompts;
    for (const json& prompt : prompts) co_await ask("prompts/get", {{"name", prompt["name"]}});
    if (client_->capabilities().contains("resources")) co_await read_resources();
    co_await client_->stop(std::chrono::milliseconds(500));
    co_return 0;
  }

 private:
  asio::awaitable<json> ask(std::string method, json params) {
    const upstream::Reply reply = co_await client_->request(method, params, scope_);
    if (reply) co_return *reply;
    std::fprintf(stderr, "%s %s: %s\n", method.c_str(), rpc::dump(params).c_str(),
                 reply.error().error.message.c_str());
    co_return json();
  }

  asio::awaitable<void> read_resources() {
    const json listed = co_await ask("resources/list", json::object());
    if (!listed.is_object() || !listed.contains("resources")) co_return;
    for (const json& resource : listed["resources"])
      co_await ask("resources/read", {{"uri", resource["uri"]}});
  }

  std::shared_ptr<upstream::Client> client_;
  io::Scope scope_;
};

}  // namespace

}  // namespace leanbridge::conformance

int main(int argc, char** argv) {
  using namespace leanbridge;
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s URL\n", argv[0]);
    return 2;
  }
  ::signal(SIGPIPE, SIG_IGN);
  asio::io_context context{1};
  http::Client http(context, {});
  upstream::ServerConfig server;
  server.name = "conformance";
  server.transport = upstream::TransportKind::Http;
  server.url = argv[argc - 1];
  auto client =
      std::make_shared<upstream::Client>(context, server, upstream::make_transports(context, http, nullptr),
                                         upstream::ClientOptions{.version = "0"}, upstream::Client::Events{});
  conformance::Driver driver(client, io::Scope(conformance::kLimit));
  int code = 1;
  asio::co_spawn(context, driver.run(), [&](const std::exception_ptr& failed, int result) {
    code = failed ? 3 : result;
    client->kill();
    context.stop();
  });
  context.run();
  return code;
}
