// The client's state machine over a transport that a test plays.
#include "gateway/upstream/client.hpp"
#include "support/loop.hpp"

#include <deque>

namespace leanbridge::upstream {

using namespace leanbridge::test;
using nlohmann::json;

namespace {

struct ScriptedTransport : Transport {
  Result<void> open(Events given) override {
    events = std::move(given);
    return {};
  }
  void send(std::string message) override { sent.push_back(json::parse(message)); }
  asio::awaitable<void> close(io::Clock::duration) override {
    closed = true;
    co_return;
  }
  void kill() override { closed = true; }
  void negotiated(const std::string& revision, bool) override { told_revision = revision; }

  void receive(json message) {
    message["jsonrpc"] = "2.0";
    events.on_message(std::move(*rpc::parse_message(message.dump())));
  }

  Events events;
  std::deque<json> sent;
  bool closed = false;
  std::string told_revision;
};

struct ClientFixture {
  ClientFixture() {
    config.name = "s";
    config.file = "/f.toml";
    options.first_pause = std::chrono::milliseconds(1);
    options.probe_limit = std::chrono::seconds(20);  // only the test of silence waits this long
  }
  // As at the end of the program.
  ~ClientFixture() {
    if (client) client->kill();
    loop.settle();
  }

  void start() {
    client = std::make_shared<Client>(
        loop.context, config,
        [this](const ServerConfig&, TransportKind kind) {
          kinds.push_back(kind);
          transports.push_back(std::make_shared<ScriptedTransport>());
          return transports.back();
        },
        options, [this](mcp::List list) { tools_changed += list == mcp::List::Tools; });
    client->start();
    loop.settle();
  }
  ScriptedTransport& wire() { return *transports.back(); }
  /// The next message of this method that the client sent.
  json take(const std::string& method) {
    REQUIRE(loop.until([&] { return !transports.empty() && !wire().sent.empty(); }));
    json message = std::move(wire().sent.front());
    wire().sent.pop_front();
    REQUIRE(message["method"] == method);
    return message;
  }
  void answer(const json& request, json result) {
    asio::post(loop.context, [this, id = request["id"], result = std::move(result)] {
      wire().receive({{"id", id}, {"result", result}});
    });
    loop.settle();
  }
  void refuse(const json& request, int code, json data = nullptr) {
    json error = {{"code", code}, {"message", "no"}};
    if (!data.is_null()) error["data"] = std::move(data);
    asio::post(loop.context, [this, id = request["id"], error] {
      wire().receive({{"id", id}, {"error", error}});
    });
    loop.settle();
  }
  void close(ConnectionEnd::Kind kind = ConnectionEnd::Kind::Exited) {
    const auto transport = transports.back();
    asio::post(loop.context, [transport, kind] { transport->events.on_closed({kind, "It ended."}); });
    loop.settle();
  }
  void initialize(const std::string& version = "2025-06-18") {
    answer(take("initialize"), {{"protocolVersion", version},
                                {"capabilities", {{"tools", json::object()}}},
                                {"serverInfo", {{"name", "n"}}}});
  }
  static json tool(const std::string& name) {
    return {{"name", name}, {"inputSchema", {{"type", "object"}}}};
  }
  void ready_legacy() {
    start();
    refuse(take("server/discover"), rpc::kMethodNotFound);
    initialize();
    take("notifications/initialized");
    answer(take("tools/list"), {{"tools", json::array({tool("t")})}});
    REQUIRE(loop.until([&] { return client->state() == Client::State::Ready; }));
  }
  void ready_modern() {
    start();
    const json capabilities = {{"tools", {{"listChanged", true}}}};
    answer(take("server/discover"), {{"supportedVersions", {"2026-07-28"}}, {"capabilities", capabilities}});
    answer(take("tools/list"), {{"tools", json::array({tool("t")})}});
    REQUIRE(loop.until([&] { return client->state() == Client::State::Ready; }));
  }

  Loop loop;
  ServerConfig config;
  ClientOptions options;
  std::vector<TransportKind> kinds;
  std::vector<std::shared_ptr<ScriptedTransport>> transports;
  int tools_changed = 0;
  std::shared_ptr<Client> client;
};

}  // namespace

TEST_CASE("Offline a server beyond this machine is not connected", "[upstream][client]") {
  ClientFixture f;
  f.options.offline = true;
  f.config.transport = TransportKind::Http;
  f.config.url = "https://mcp.example.org/mcp";
  f.start();
  CHECK(f.client->state() == Client::State::Disabled);
  CHECK(f.transports.empty());
  CHECK(f.client->health()["status"] == "disabled");
  const auto ready = f.loop.run(f.client->ensure_ready(io::CancelScope(std::chrono::seconds(5))));
  REQUIRE_FALSE(ready);
  CHECK(ready.error().kind == ErrorKind::NotSupported);
  CHECK(ready.error().message.find("--offline") != std::string::npos);
  CHECK(f.transports.empty());
}

TEST_CASE_METHOD(ClientFixture, "Offline a server on this machine is connected", "[upstream][client]") {
  options.offline = true;
  SECTION("by its address") {
    config.transport = TransportKind::Http;
    config.url = "http://127.0.0.1:9/mcp";
  }
  SECTION("as a program") {}
  start();
  CHECK(transports.size() == 1);
}

TEST_CASE("All that a server says of itself is cleaned", "[upstream][client]") {
  ClientFixture f;
  const std::string dirty = "a\x1b[31mb\x7f\xc2\x85\xe2\x80\xae\xf3\xa0\x81\x81", clean = "ab";
  f.start();
  f.refuse(f.take("server/discover"), rpc::kMethodNotFound);
  f.answer(f.take("initialize"), {{"protocolVersion", "2025-06-18"},
                                  {"capabilities", {{"tools", {{"x", dirty}}}}},
                                  {"serverInfo", {{"name", dirty}, {dirty, dirty}}}});
  f.take("notifications/initialized");
  const json schema = {{"type", "object"},
                       {"properties", {{"p", {{"description", dirty}, {"enum", {dirty}}}}}}};
  json items = json::array();
  items.push_back({{"name", "t"},
                   {"description", dirty},
                   {"inputSchema", schema},
                   {"annotations", {{"title", dirty}}},
                   {"_meta", {{"m", {dirty}}}}});
  items.push_back({{"name", dirty}, {"inputSchema", {{"type", "object"}}}});
  items.push_back({{"name", "u"}, {"inputSchema", {{"type", "object"}, {"properties", {{dirty, true}}}}}});
  f.answer(f.take("tools/list"), {{"tools", items}});
  REQUIRE(f.loop.until([&] { return f.client->state() == Client::State::Ready; }));
  CHECK(f.client->server_info() == json({{"name", clean}, {clean, clean}}));
  REQUIRE(f.client->offer().tools.size() == 1);
  const json& tool = f.client->offer().tools[0];
  CHECK(tool["description"] == clean);
  CHECK(tool["inputSchema"]["properties"]["p"] == json({{"description", clean}, {"enum", {clean}}}));
  CHECK(tool["annotations"]["title"] == clean);
  CHECK(tool["_meta"]["m"] == json::array({clean}));
  // The server would not recognise a cleaned name.
  REQUIRE(f.client->offer().problems.size() == 2);
  CHECK(f.client->health().dump().find("\\u001b") == std::string::npos);
}

TEST_CASE("What the environment gave is in no error", "[upstream][client]") {
  ClientFixture f;
  f.config.expansions = {{Secret("s3cret"), "${KEY}"}};
  f.ready_legacy();
  const auto transport = f.transports.back();
  asio::post(f.loop.context, [transport] {
    transport->events.on_closed({ConnectionEnd::Kind::Exited, "Its stderr ends with: bad key s3cret"});
  });
  f.loop.settle();
  REQUIRE(f.loop.until([&] { return f.client->last_error().has_value(); }));
  CHECK(f.client->last_error()->message == "Its stderr ends with: bad key ${KEY}");
}

TEST_CASE_METHOD(ClientFixture, "Legacy: refused probe, initialize, lists", "[upstream][client]") {
  start();
  const json probe = take("server/discover");
  CHECK(probe["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] == "2026-07-28");
  refuse(probe, rpc::kMethodNotFound);
  initialize();
  take("notifications/initialized");
  const json list = take("tools/list");
  CHECK_FALSE(list["params"].contains("_meta"));
  answer(list, {{"tools", json::array({tool("a"), tool("a"), json::object()})}, {"nextCursor", ""}});
  const json next = take("tools/list");
  CHECK(next["params"]["cursor"] == "");
  answer(next, {{"tools", json::array({tool("b")})}});
  CHECK(client->state() == Client::State::Ready);
  CHECK(client->offer().tools.size() == 2);
  CHECK(client->offer().problems.size() == 2);
  CHECK(wire().told_revision == "2025-06-18");
  CHECK(tools_changed == 1);
}

TEST_CASE_METHOD(ClientFixture, "Modern: every request carries its meta, and changes are listened for",
                 "[upstream][client]") {
  ready_modern();
  CHECK(client->modern());
  const json listen = take("subscriptions/listen");
  CHECK(listen["params"]["notifications"] == json{{"toolsListChanged", true}});
  json params = {{"name", "t"}};
  auto running = loop.start(client->request("tools/call", params, patient()));
  loop.settle();
  const json call = take("tools/call");
  CHECK(call["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] == json::object());
  answer(call, {{"resultType", "input_required"}, {"requestState", "x"}});
  const Reply reply = loop.finish(running);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().error.kind == ErrorKind::NotSupported);
}

TEST_CASE_METHOD(ClientFixture, "A modern error on the probe is no legacy server", "[upstream][client]") {
  start();
  refuse(take("server/discover"), -32021);
  CHECK(client->state() == Client::State::Down);
  CHECK(client->last_error());
}

TEST_CASE_METHOD(ClientFixture, "A refused revision that is listed as supported is asked for once more",
                 "[upstream][client]") {
  start();
  const json data = {{"supported", {"2025-11-25", "2026-07-28"}}, {"requested", "2026-07-28"}};
  refuse(take("server/discover"), -32022, data);
  SECTION("and accepted") {
    answer(take("server/discover"),
           {{"supportedVersions", {"2026-07-28"}}, {"capabilities", json::object()}});
    REQUIRE(loop.until([&] { return client->state() == Client::State::Ready; }));
    CHECK(client->modern());
  }
  SECTION("and refused again: the other era") {
    refuse(take("server/discover"), -32022, data);
    initialize();
    take("notifications/initialized");
  }
}

TEST_CASE_METHOD(ClientFixture, "A refused revision among others that are not spoken here means initialize",
                 "[upstream][client]") {
  start();
  const json data = GENERATE(json{{"supported", {"2025-11-25"}}}, json{{"supported", "2026-07-28"}}, json());
  refuse(take("server/discover"), -32022, data);
  initialize();
  take("notifications/initialized");
}

TEST_CASE_METHOD(ClientFixture, "Silence on the probe means initialize, now and later",
                 "[upstream][client]") {
  options.probe_limit = std::chrono::milliseconds(20);
  start();
  take("server/discover");
  initialize();
  CHECK(transports.size() == 1);
  take("notifications/initialized");
  answer(take("tools/list"), {{"tools", json::array()}});
  close();
  REQUIRE(loop.until([&] { return transports.size() == 2; }));
  take("initialize");
}

TEST_CASE_METHOD(ClientFixture, "A modern server that is silent while it starts is probed again",
                 "[upstream][client]") {
  options.probe_limit = std::chrono::milliseconds(20);
  start();
  take("server/discover");
  const json refused = take("initialize");
  SECTION("it lists its revision") {
    refuse(refused, -32022, {{"supported", {"2026-07-28"}}, {"requested", "2025-11-25"}});
  }
  SECTION("it knows no `initialize`") {
    refuse(refused, rpc::kMethodNotFound);
  }
  answer(take("server/discover"), {{"supportedVersions", {"2026-07-28"}}, {"capabilities", json::object()}});
  REQUIRE(loop.until([&] { return client->state() == Client::State::Ready; }));
  CHECK(client->modern());
  CHECK(transports.size() == 1);
  close();
  REQUIRE(loop.until([&] { return transports.size() == 2; }));
  take("server/discover");
}

TEST_CASE_METHOD(ClientFixture, "A server that refuses both eras is down", "[upstream][client]") {
  SECTION("at once") {
    start();
    refuse(take("server/discover"), rpc::kMethodNotFound);
    refuse(take("initialize"), rpc::kMethodNotFound);
  }
  SECTION("when it has started") {
    options.probe_limit = std::chrono::milliseconds(20);
    start();
    take("server/discover");
    refuse(take("initialize"), rpc::kMethodNotFound);
    refuse(take("server/discover"), rpc::kMethodNotFound);
  }
  CHECK(client->state() == Client::State::Down);
  CHECK(client->last_error());
  CHECK(transports.front()->sent.empty());
}

TEST_CASE_METHOD(ClientFixture, "A server that ends on the probe is started again", "[upstream][client]") {
  start();
  take("server/discover");
  close();
  REQUIRE(loop.until([&] { return transports.size() == 2; }));
  initialize();
  take("notifications/initialized");
}

TEST_CASE_METHOD(ClientFixture, "An unknown revision is an error", "[upstream][client]") {
  start();
  refuse(take("server/discover"), rpc::kMethodNotFound);
  initialize("1999-01-01");
  CHECK(client->state() == Client::State::Down);
  CHECK(client->last_error()->message.find("1999-01-01") != std::string::npos);
}

TEST_CASE_METHOD(ClientFixture, "HTTP falls back to HTTP+SSE, but not on outages", "[upstream][client]") {
  config.transport = TransportKind::Http;
  start();
  const int status = GENERATE(400, 404, 405);
  refuse(take("server/discover"), kTransportError, {{"http_status", status}});
  refuse(take("initialize"), kTransportError, {{"http_status", status}});
  REQUIRE(loop.until([&] { return transports.size() == 2; }));
  CHECK(kinds.back() == TransportKind::Sse);
  initialize("2024-11-05");
  take("notifications/initialized");
}

TEST_CASE_METHOD(ClientFixture, "HTTP: an outage or a refusal is no sign of an era", "[upstream][client]") {
  config.transport = TransportKind::Http;
  start();
  const int status = GENERATE(0, 401, 403, 500, 503);
  refuse(take("server/discover"), kTransportError, {{"http_status", status}});
  CHECK(client->state() == Client::State::Down);
  CHECK(kinds == std::vector<TransportKind>{TransportKind::Http});
}

TEST_CASE_METHOD(ClientFixture, "A lost connection ends what is under way, and is made again",
                 "[upstream][client]") {
  ready_legacy();
  json params = {{"name", "t"}};
  auto running = loop.start(client->request("tools/call", params, patient()));
  loop.settle();
  take("tools/call");
  close();
  const Reply reply = loop.finish(running);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().error.kind == ErrorKind::BackendUnavailable);
  CHECK(client->offer().tools.size() == 1);
  REQUIRE(loop.until([&] { return transports.size() == 2; }));
  refuse(take("server/discover"), rpc::kMethodNotFound);
}

TEST_CASE_METHOD(ClientFixture, "An expired session: a new handshake at once, and the call again",
                 "[upstream][client]") {
  config.transport = TransportKind::Http;
  options.first_pause = std::chrono::hours(1);
  ready_legacy();
  json params = {{"name", "t"}};
  auto running = loop.start(client->request("tools/call", params, patient()));
  loop.settle();
  const json call = take("tools/call");
  const auto old = transports.back();
  asio::post(loop.context, [old, call] {
    const json data = {{"http_status", 404}, {"session_expired", true}};
    old->receive(
        {{"id", call["id"]}, {"error", {{"code", kTransportError}, {"message", "gone"}, {"data", data}}}});
    old->events.on_closed({ConnectionEnd::Kind::SessionExpired, "gone"});
  });
  REQUIRE(loop.until([&] { return transports.size() == 2; }));
  refuse(take("server/discover"), rpc::kMethodNotFound);
  initialize();
  take("notifications/initialized");
  answer(take("tools/list"), {{"tools", json::array()}});
  answer(take("tools/call"), {{"content", json::array()}});
  CHECK(loop.finish(running).has_value());
}

TEST_CASE_METHOD(ClientFixture, "Progress extends a call, and its end cancels it", "[upstream][client]") {
  config.timeout = std::chrono::milliseconds(600);
  ready_legacy();
  std::vector<json> progress;
  json params = {{"name", "t"}};
  Client::OnProgress hear = [&](json told) { progress.push_back(std::move(told)); };
  auto running = loop.start(client->request("tools/call", params, patient(), hear));
  loop.settle();
  const json call = take("tools/call");
  const json token = call["params"]["_meta"]["progressToken"];
  const auto begun = io::Clock::now();
  for (int i = 1; i <= 3; ++i) {
    REQUIRE(loop.until([&] { return io::Clock::now() - begun > i * std::chrono::milliseconds(350); }));
    wire().receive(
        {{"method", "notifications/progress"}, {"params", {{"progressToken", token}, {"progress", i}}}});
  }
  CHECK_FALSE(running.done());
  CHECK(progress.size() == 3);
  CHECK(progress[0] == json{{"progress", 1}});
  const Reply reply = loop.finish(running);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().error.kind == ErrorKind::Timeout);
  CHECK(take("notifications/cancelled")["params"]["requestId"] == call["id"]);
}

TEST_CASE_METHOD(ClientFixture, "A call that is cancelled ends at once", "[upstream][client]") {
  ready_legacy();
  const auto cancel = std::make_shared<io::CancelSource>();
  json params = {{"name", "t"}};
  auto running = loop.start(client->request("tools/call", params, patient(cancel)));
  loop.settle();
  const json call = take("tools/call");
  cancel->cancel();
  CHECK(loop.finish(running).error().error.kind == ErrorKind::Cancelled);
  CHECK(take("notifications/cancelled")["params"]["requestId"] == call["id"]);
}

TEST_CASE_METHOD(ClientFixture, "Requests of the server", "[upstream][client]") {
  ready_legacy();
  wire().receive({{"id", "x"}, {"method", "ping"}});
  CHECK(wire().sent.back()["result"] == json::object());
  wire().receive({{"id", 9}, {"method", "sampling/createMessage"}});
  CHECK(wire().sent.back()["error"]["code"] == rpc::kMethodNotFound);
}

namespace {

/// A client behind ours that is asked something, and answers when the test says so.
struct AskedHost : mcp::Host {
  json capabilities() const override { return {{"elicitation", json::object()}}; }
  asio::awaitable<mcp::HostAnswer> ask(std::string method, json params, io::CancelScope scope) override {
    asked.emplace_back(std::move(method), std::move(params));
    const io::WaitStatus end = co_await io::wait_until(changed, scope, [this] { return answer.has_value(); });
    if (end == io::WaitStatus::Ready) co_return *answer;
    cancelled = end == io::WaitStatus::Cancelled;
    co_return tl::unexpected(rpc::RpcError{rpc::kInternalError, "no answer", nullptr});
  }

  std::vector<std::pair<std::string, json>> asked;
  std::optional<mcp::HostAnswer> answer;
  bool cancelled = false;
  io::Condition changed;
};

struct AskedFixture : ClientFixture {
  AskedFixture() {
    options.host = [this] { return host; };
    start();
    refuse(take("server/discover"), rpc::kMethodNotFound);
    const json request = take("initialize");
    CHECK(request["params"]["capabilities"] == host->capabilities());
    answer(request, {{"protocolVersion", "2025-06-18"}, {"capabilities", json::object()}});
    take("notifications/initialized");
    REQUIRE(loop.until([&] { return client->state() == Client::State::Ready; }));
  }
  void ask(const json& id, const std::string& method, json params) {
    asio::post(loop.context, [this, id, method, params = std::move(params)] {
      wire().receive({{"id", id}, {"method", method}, {"params", params}});
    });
    loop.settle();
  }
  std::shared_ptr<AskedHost> host = std::make_shared<AskedHost>();
};

}  // namespace

TEST_CASE_METHOD(AskedFixture, "What a server asks goes to the client behind us, under the server's name",
                 "[upstream][client]") {
  ask("q", "elicitation/create", {{"message", "Your \x1b[31mname?"}});
  REQUIRE(host->asked.size() == 1);
  CHECK(host->asked[0].first == "elicitation/create");
  CHECK(host->asked[0].second["message"] == "s asks: Your name?");
  SECTION("and its answer comes back") {
    host->answer = json{{"action", "accept"}};
    host->changed.notify_all();
    loop.settle();
    CHECK(wire().sent.back() == json{{"jsonrpc", "2.0"}, {"id", "q"}, {"result", {{"action", "accept"}}}});
  }
  SECTION("or its error") {
    host->answer = tl::unexpected(rpc::RpcError{-1, "not now", nullptr});
    host->changed.notify_all();
    loop.settle();
    CHECK(wire().sent.back()["error"]["message"] == "not now");
  }
  SECTION("a server that is gone needs no answer") {
    close();
    CHECK(loop.until([&] { return host->cancelled; }));
  }
  SECTION("nor does one that has cancelled it") {
    asio::post(loop.context, [this] {
      wire().receive({{"method", "notifications/cancelled"}, {"params", {{"requestId", "q"}}}});
    });
    CHECK(loop.until([&] { return host->cancelled; }));
  }
}

TEST_CASE_METHOD(AskedFixture, "What the client behind us did not declare is refused", "[upstream][client]") {
  ask(1, "sampling/createMessage", json::object());
  REQUIRE(host->asked.empty());
  CHECK(wire().sent.back()["error"]["code"] == rpc::kMethodNotFound);
  client->roots_changed();
  CHECK(wire().sent.back().contains("error"));  // there are no roots to tell about
}

TEST_CASE_METHOD(AskedFixture, "No more than 16 questions of a server are open", "[upstream][client]") {
  for (int i = 0; i < 17; ++i) ask(i, "elicitation/create", {{"message", "?"}});
  CHECK(host->asked.size() == 16);
  CHECK(wire().sent.back()["id"] == 16);
  CHECK(wire().sent.back()["error"]["code"] == rpc::kInternalError);
}

TEST_CASE_METHOD(ClientFixture, "The time in which the client behind us answers does not count",
                 "[upstream][client]") {
  const auto host = std::make_shared<AskedHost>();
  options.host = [host] { return host; };
  config.timeout = std::chrono::milliseconds(100);
  ready_legacy();
  json params = {{"name", "t"}};
  auto running = loop.start(client->request("tools/call", params, patient()));
  loop.settle();
  const json call = take("tools/call");
  asio::post(loop.context, [this] {
    wire().receive({{"id", "q"}, {"method", "elicitation/create"}, {"params", {{"message", "?"}}}});
  });
  loop.run(io::sleep_for(std::chrono::milliseconds(400), patient()));
  host->answer = json::object();
  host->changed.notify_all();
  answer(call, {{"content", json::array()}});
  CHECK(loop.finish(running).has_value());
}

TEST_CASE_METHOD(ClientFixture, "A question in a modern result is returned to who takes it",
                 "[upstream][client]") {
  ready_modern();
  take("subscriptions/listen");
  Client::RequestOptions taking;
  taking.capabilities = {{"elicitation", json::object()}};
  taking.accepts_input = true;
  json params = {{"name", "t"}};
  auto running = loop.start(client->request("tools/call", params, patient(), taking));
  loop.settle();
  const json call = take("tools/call");
  CHECK(call["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] == taking.capabilities);
  answer(call, {{"resultType", "input_required"}, {"requestState", "x"}});
  const Reply reply = loop.finish(running);
  REQUIRE(reply);
  CHECK((*reply)["requestState"] == "x");
}

TEST_CASE_METHOD(ClientFixture, "Resources and templates are offered with their addresses",
                 "[upstream][client]") {
  start();
  refuse(take("server/discover"), rpc::kMethodNotFound);
  answer(take("initialize"),
         {{"protocolVersion", "2025-06-18"}, {"capabilities", {{"resources", {{"subscribe", true}}}}}});
  take("notifications/initialized");
  const json one = {{"name", "one"}, {"uri", "test://one"}};
  answer(take("resources/list"),
         {{"resources", json::array({one, one, {{"name", "none"}}, {{"uri", "test://nameless"}}})}});
  refuse(take("resources/templates/list"), rpc::kMethodNotFound);
  REQUIRE(loop.until([&] { return client->state() == Client::State::Ready; }));
  REQUIRE(client->offer().resources.size() == 1);
  CHECK(client->offer().resources[0] == one);
  CHECK(client->offer().templates.empty());
  CHECK(client->offer().problems.size() == 3);
  CHECK(client->reports_changes_of_resources());

  int changed = 0;
  const auto cancel = std::make_shared<io::CancelSource>();
  const io::CancelScope watching(std::chrono::hours(1), cancel);
  asio::co_spawn(loop.context, client->watch_resource("test://one", watching, [&] { ++changed; }),
                 asio::detached);
  loop.settle();
  const json subscribe = take("resources/subscribe");
  CHECK(subscribe["params"]["uri"] == "test://one");
  answer(subscribe, json::object());
  asio::post(loop.context, [this] {
    for (const char* uri : {"test://one", "test://other"})
      wire().receive({{"method", "notifications/resources/updated"}, {"params", {{"uri", uri}}}});
  });
  loop.settle();
  CHECK(changed == 1);
  cancel->cancel();
  loop.settle();
  CHECK(take("resources/unsubscribe")["params"]["uri"] == "test://one");
}

TEST_CASE_METHOD(ClientFixture, "A dropped message ends the calls under way, not the connection",
                 "[upstream][client]") {
  ready_legacy();
  json params = {{"name", "t"}};
  auto running = loop.start(client->request("tools/call", params, patient()));
  loop.settle();
  wire().events.on_oversize(16u << 20);
  CHECK(loop.finish(running).error().error.message.find("16 MiB") != std::string::npos);
  CHECK(client->state() == Client::State::Ready);
}

TEST_CASE_METHOD(ClientFixture, "Stopping ends all that waits", "[upstream][client]") {
  ready_legacy();
  json params = {{"name", "t"}};
  auto running = loop.start(client->request("tools/call", params, patient()));
  loop.settle();
  loop.run(client->stop(std::chrono::milliseconds(1)));
  CHECK_FALSE(loop.finish(running));
  CHECK(wire().closed);
  CHECK(client->state() == Client::State::Stopped);
  CHECK_FALSE(loop.run(client->ensure_ready(patient())));
}

TEST_CASE_METHOD(ClientFixture, "After many failures a call gets the reason at once", "[upstream][client]") {
  options.longest_pause = std::chrono::hours(1);
  start();
  for (int i = 0; i < 5; ++i) {
    refuse(take("server/discover"), rpc::kMethodNotFound);
    refuse(take("initialize"), rpc::kInternalError);
    if (i < 4) REQUIRE(loop.until([&] { return transports.size() == static_cast<std::size_t>(i) + 2; }));
  }
  REQUIRE(loop.until([&] { return client->state() == Client::State::Down; }));
  const auto ready = loop.run(client->ensure_ready(patient()));
  REQUIRE_FALSE(ready);
  CHECK(ready.error().message.find("failure 5 in a row") != std::string::npos);
}

}  // namespace leanbridge::upstream
