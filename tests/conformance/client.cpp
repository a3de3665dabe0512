// A client for the official conformance suite. It connects to the server whose URL is the last argument, by
// the same code with which the program connects to other servers, and uses everything that the server offers.
// The suite watches from the server's side.

#include "http/client.hpp"

#include "core/base/log.hpp"
#include "core/mcp/provider.hpp"
#include "gateway/upstream/client.hpp"
#include "gateway/upstream/oauth.hpp"
#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace leanbridge::conformance {

using nlohmann::json;

namespace {

constexpr auto kLimit = std::chrono::seconds(100);  // less than runSuite gives a scenario

json environment_json(const char* name) {
  const char* text = std::getenv(name);
  return text ? json::parse(text, nullptr, false) : json();
}

bool is_scenario(const std::string& name) {
  const char* scenario = std::getenv("MCP_CONFORMANCE_SCENARIO");
  return scenario && scenario == name;
}

// A value that fits the schema of an argument. For an object, the one that the suite expects back.
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

// The address of the client's metadata, which the suite expects where an issuer accepts one.
constexpr const char* kClientMetadata = "https://conformance-test.local/client-metadata.json";

// A user who agrees at once: follows the redirect of the issuer's page to the port of the login.
asio::awaitable<void> visit(http::Client& http, std::string url) {
  http::Request request;
  request.url = std::move(url);
  co_await http.send(std::move(request), io::CancelScope(kLimit));
}

upstream::LoginOptions login_options(asio::io_context& context, http::Client& http) {
  upstream::LoginOptions login;
  login.open_url = [&](const std::string& url) { asio::co_spawn(context, visit(http, url), asio::detached); };
  login.client_metadata_url = kClientMetadata;
  const json known = environment_json("MCP_CONFORMANCE_CONTEXT");
  if (known.is_object() && !is_scenario("auth/client-credentials-basic")) {
    login.client_id = known.value("client_id", "");
    login.client_secret = Secret(known.value("client_secret", ""));
  }
  return login;
}

// What a user writes for a server that authenticates the machine and not a person.
std::optional<upstream::AuthConfig> auth_config() {
  const json known = environment_json("MCP_CONFORMANCE_CONTEXT");
  if (!is_scenario("auth/client-credentials-basic") || !known.is_object()) return std::nullopt;
  upstream::AuthConfig auth;
  auth.client_id = known.value("client_id", "");
  auth.client_secret = Secret(known.value("client_secret", ""));
  auth.parameters["grant_type"] = "client_credentials";
  return auth;
}

// A user who has a secret knows the issuer at which the client is registered. The suite does not name it, so
// read first what the server publishes.
std::string known_issuer(asio::io_context& context, http::Client& http, const std::string& url) {
  const json known = environment_json("MCP_CONFORMANCE_CONTEXT");
  if (!known.is_object() || known.value("client_secret", "").empty()) return "";
  std::string issuer;
  const auto look = [&]() -> asio::awaitable<void> {
    const std::size_t path = std::min(url.find('/', url.find("://") + 3), url.size());
    for (const std::string& place : {url.substr(path), std::string()}) {
      http::Request request;
      request.url = url.substr(0, path) + "/.well-known/oauth-protected-resource" + place;
      const auto answer = co_await http.send(std::move(request), io::CancelScope(kLimit));
      if (!answer || answer->status != 200) continue;
      const json document = json::parse(answer->body, nullptr, false);
      const json issuers = document.is_object() ? document.value("authorization_servers", json()) : json();
      if (issuers.is_array() && !issuers.empty() && issuers[0].is_string())
        issuer = issuers[0].get<std::string>();
      if (!issuer.empty()) co_return;
    }
  };
  asio::co_spawn(context, look(), [&](const std::exception_ptr&) { context.stop(); });
  context.run();
  context.restart();
  return issuer;
}

// Where tokens are kept while the client runs.
struct TokenFolder {
  std::string path = (std::filesystem::temp_directory_path() / "leanbridge-conformance-XXXXXX").string();
  TokenFolder() {
    if (!::mkdtemp(path.data())) std::abort();
  }
  TokenFolder(const TokenFolder&) = delete;
  TokenFolder& operator=(const TokenFolder&) = delete;
  ~TokenFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

// A client behind ours, whose user accepts every form with its default values.
class AgreeingUser : public mcp::Host {
 public:
  json capabilities() const override { return {{"elicitation", {{"form", {{"applyDefaults", true}}}}}}; }
  asio::awaitable<mcp::HostAnswer> ask(std::string method, json params, io::CancelScope) override {
    std::fprintf(stderr, "asked: %s\n", method.c_str());
    if (method != "elicitation/create")
      co_return tl::unexpected(rpc::RpcError{rpc::kMethodNotFound, "Only forms.", nullptr});
    json content = json::object();
    const json schema = params.value("requestedSchema", json::object());
    const json fields = schema.value("properties", json::object());
    for (const auto& [name, field] : fields.items())
      content[name] = field.contains("default") ? field["default"] : sample(field, json::object());
    co_return json{{"action", "accept"}, {"content", std::move(content)}};
  }
};

// The calls that a scenario asks for; otherwise one call of each tool.
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
  Driver(std::shared_ptr<upstream::Client> client, std::shared_ptr<mcp::Host> user, io::CancelScope scope)
      : client_(std::move(client)), user_(std::move(user)), scope_(std::move(scope)) {}

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
  // Answers the questions of a modern server, and repeats the request.
  asio::awaitable<json> ask(std::string method, json params) {
    upstream::Client::RequestOptions options;
    options.capabilities = user_->capabilities();
    options.accepts_input = true;
    upstream::Reply reply = co_await client_->request(method, params, scope_, options);
    while (reply && mcp::asks_for_input(*reply)) {
      params["inputResponses"] = json::object();
      const json questions = reply->value("inputRequests", json::object());
      for (const auto& [key, question] : questions.items())
        if (const auto answer =
                co_await user_->ask(question["method"].get<std::string>(), question["params"], scope_))
          params["inputResponses"][key] = *answer;
      params.erase("requestState");
      if (reply->contains("requestState")) params["requestState"] = (*reply)["requestState"];
      reply = co_await client_->request(method, params, scope_, options);
    }
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
  std::shared_ptr<mcp::Host> user_;
  io::CancelScope scope_;
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
  server.auth = conformance::auth_config();
  const std::string issuer = conformance::known_issuer(context, http, server.url);
  if (server.auth) server.auth->parameters["issuer"] = issuer;
  const conformance::TokenFolder tokens;
  upstream::OAuthOptions oauth;
  oauth.login = conformance::login_options(context, http);
  oauth.login->issuer = issuer;
  auto authorization =
      std::make_shared<upstream::OAuth>(context, http, upstream::TokenStore(tokens.path), std::move(oauth));
  const auto user = std::make_shared<conformance::AgreeingUser>();
  upstream::ClientOptions client_options;
  client_options.version = "0";
  client_options.host = [user]() -> std::shared_ptr<mcp::Host> { return user; };
  auto client = std::make_shared<upstream::Client>(
      context, server, upstream::make_transports(context, http, std::move(authorization)), client_options,
      nullptr);
  conformance::Driver driver(client, user, io::CancelScope(conformance::kLimit));
  int code = 1;
  asio::co_spawn(context, driver.run(), [&](const std::exception_ptr& failed, int result) {
    code = failed ? 3 : result;
    client->kill();
    context.stop();
  });
  context.run();
  return code;
}
