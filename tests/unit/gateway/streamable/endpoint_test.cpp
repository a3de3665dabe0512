// The transport in both eras, without a network: exchanges go in, what would be sent comes out.

#include "gateway/streamable/endpoint.hpp"

#include "core/mcp/session_fixture.hpp"

#include <sstream>

namespace leanbridge::streamable::test {

using namespace leanbridge::test;
using nlohmann::json;

namespace {

/// One request and all that was answered so far.
struct Sent {
  std::shared_ptr<http::Exchange> exchange;
  std::string stream;  ///< the parts

  int status() const { return exchange->head() ? exchange->head()->status : 0; }
  std::string field(const std::string& name) const {
    for (const auto& [key, value] : exchange->head().value_or(http::OutgoingResponse()).fields)
      if (key == name) return value;
    return "";
  }
  json body() const { return json::parse(exchange->head()->body); }
  std::string& read() {
    while (exchange->has_part()) stream += exchange->take_part();
    return stream;
  }
  /// The messages among the events.
  std::vector<json> messages() {
    std::vector<json> all;
    std::istringstream lines(read());
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("data: {")) all.push_back(json::parse(line.substr(6)));
    return all;
  }
  std::string last_id() {
    const std::string& text = read();
    const std::size_t at = text.rfind("id: ");
    return at == std::string::npos ? "" : text.substr(at + 4, text.find('\n', at) - at - 4);
  }
};

struct EndpointFixture : mcp::test::SessionFixture {
  EndpointFixture() { begin({}); }
  ~EndpointFixture() {
    endpoint->close();
    loop.settle();
  }

  void begin(EndpointLimits limits) {
    auto options = std::make_shared<mcp::SessionOptions>();
    options->version = "9.9";
    EndpointHooks hooks;
    hooks.make_session = [this, options](std::function<void(mcp::Outgoing&&)> send) {
      auto made = std::make_shared<mcp::Session>(loop.context, *registry, options, std::move(send), [] {});
      sessions.push_back(made);
      return made;
    };
    endpoint = std::make_shared<Endpoint>(loop.context, limits, std::move(hooks));
  }

  Sent send(http::IncomingRequest head) {
    Sent one{std::make_shared<http::Exchange>(std::move(head), std::size_t{1} << 20), ""};
    asio::post(loop.context, [this, exchange = one.exchange] { endpoint->handle(exchange); });
    loop.settle();
    return one;
  }
  static http::IncomingRequest request(std::string method, http::Fields fields, json message = nullptr,
                                       std::string client = "127.0.0.1") {
    http::IncomingRequest head;
    head.method = std::move(method);
    head.target = "/mcp";
    head.fields = std::move(fields);
    if (!message.is_null()) {
      if (message.is_object()) message["jsonrpc"] = "2.0";
      head.body = message.dump();
    }
    head.client = std::move(client);
    return head;
  }
  Sent post(json message, http::Fields fields = {}) {
    return send(request("POST", std::move(fields), std::move(message)));
  }

  static json opening(std::string_view revision = "2025-11-25") {
    return {{"id", 0},
            {"method", "initialize"},
            {"params", {{"protocolVersion", revision}, {"capabilities", json::object()}}}};
  }
  std::string open(std::string_view revision = "2025-11-25") {
    Sent opened = post(opening(revision));
    REQUIRE(opened.status() == 200);
    const std::string id = opened.field("mcp-session-id");
    REQUIRE(id.size() == 64);
    return id;
  }
  static json tool_call(json id, const char* name, json arguments = json::object()) {
    return {{"id", std::move(id)},
            {"method", "tools/call"},
            {"params", {{"name", name}, {"arguments", std::move(arguments)}}}};
  }
  Sent in(const std::string& session_id, json message) {
    return post(std::move(message), {{"mcp-session-id", session_id}});
  }
  Sent get(const std::string& session_id, const std::string& last_event = "") {
    http::Fields fields = {{"mcp-session-id", session_id}, {"accept", "text/event-stream"}};
    if (!last_event.empty()) fields.emplace_back("last-event-id", last_event);
    return send(request("GET", std::move(fields)));
  }
  Sent modern(json message, const char* name = nullptr) {
    http::Fields fields = {{"mcp-protocol-version", "2026-07-28"},
                           {"mcp-method", message["method"].get<std::string>()}};
    if (name) fields.emplace_back("mcp-name", name);
    json params = message.value("params", json::object());
    params["_meta"] = modern_meta(params.value("_meta", json::object()));
    message["params"] = std::move(params);
    return post(std::move(message), std::move(fields));
  }
  void after(io::Clock::duration time) { loop.run(io::sleep_for(time, patient())); }

  std::shared_ptr<Endpoint> endpoint;
  std::vector<std::weak_ptr<mcp::Session>> sessions;
};

EndpointLimits impatient() {
  EndpointLimits limits;
  limits.patience = std::chrono::milliseconds(5);
  return limits;
}

}  // namespace

// --- sessions

TEST_CASE_METHOD(EndpointFixture, "initialize opens a session that later requests name", "[streamable]") {
  const std::string session_id = open();
  Sent answer = in(session_id, tool_call(1, "echo", {{"text", "hi"}}));
  CHECK(answer.status() == 200);
  CHECK(answer.body()["result"]["structuredContent"]["text"] == "hi");
  CHECK(in(session_id, {{"method", "notifications/initialized"}}).status() == 202);
  CHECK(endpoint->counts().sessions == 1);
  CHECK(endpoint->counts().calls == 0);
}

TEST_CASE_METHOD(EndpointFixture, "a session is over after DELETE", "[streamable]") {
  const std::string session_id = open();
  CHECK(send(request("DELETE", {{"mcp-session-id", session_id}})).status() == 204);
  CHECK(in(session_id, {{"id", 1}, {"method", "ping"}}).status() == 404);
  CHECK(send(request("DELETE", {{"mcp-session-id", session_id}})).status() == 404);
  CHECK(endpoint->counts().sessions == 0);
}

TEST_CASE_METHOD(EndpointFixture, "the session of another client looks like none", "[streamable][access]") {
  const std::string session_id = open();
  CHECK(send(request("POST", {{"mcp-session-id", session_id}}, {{"id", 1}, {"method", "ping"}}, "10.0.0.2"))
            .status() == 404);
  CHECK(in(session_id, {{"id", 1}, {"method", "ping"}}).status() == 200);
}

TEST_CASE_METHOD(EndpointFixture, "a refused initialize leaves no session", "[streamable]") {
  const Sent refused = post({{"id", 0}, {"method", "initialize"}, {"params", json::object()}});
  CHECK(refused.body()["error"]["code"] == rpc::kInvalidParams);
  loop.settle();
  CHECK(endpoint->counts().sessions == 0);
}

TEST_CASE_METHOD(EndpointFixture, "a message outside of any session is refused", "[streamable]") {
  CHECK(post({{"id", 1}, {"result", json::object()}}).status() == 400);
  CHECK(post({{"id", 1}, {"method", "tools/list"}}).body()["error"]["code"] == -32020);
  CHECK(send(request("GET", {})).status() == 405);
  http::IncomingRequest broken = request("POST", {});
  broken.body = "{";
  const Sent refused = send(std::move(broken));
  CHECK(refused.status() == 400);
  CHECK(refused.body()["error"]["code"] == rpc::kParseError);
}

TEST_CASE_METHOD(EndpointFixture, "a revision that is not known is refused", "[streamable]") {
  const std::string session_id = open();
  const auto with = [&](const char* revision) {
    return post({{"id", 1}, {"method", "ping"}},
                {{"mcp-session-id", session_id}, {"mcp-protocol-version", revision}})
        .status();
  };
  CHECK(with("2025-11-25") == 200);
  CHECK(with("1900-01-01") == 400);
}

TEST_CASE_METHOD(EndpointFixture, "an id that is in use is refused, and its call is answered all the same",
                 "[streamable]") {
  const std::string session_id = open();
  Sent first = in(session_id, tool_call(7, "wait"));
  CHECK(in(session_id, tool_call(7, "echo")).status() == 400);
  CHECK(first.status() == 0);
  calls.at(0)->end(json::object());
  loop.settle();
  CHECK(first.body()["id"] == 7);
  CHECK(endpoint->counts().calls == 0);
}

// --- streams and resumption

TEST_CASE_METHOD(EndpointFixture, "an answer that takes long becomes a stream", "[streamable][events]") {
  begin(impatient());
  const std::string session_id = open();
  Sent slow = in(session_id, tool_call(1, "wait"));
  REQUIRE(loop.until([&] { return slow.exchange->begun(); }));
  CHECK(slow.field("content-type") == "text/event-stream");
  CHECK(slow.read().find("\ndata: \n\n") != std::string::npos);  // an id to resume from
  CHECK(endpoint->counts().streams == 1);
  calls.at(0)->end(json::object());
  loop.settle();
  REQUIRE(slow.messages().size() == 1);
  CHECK(slow.messages()[0]["id"] == 1);
  CHECK(slow.exchange->ended());
}

TEST_CASE_METHOD(EndpointFixture, "older clients get no event without data", "[streamable][events]") {
  begin(impatient());
  const std::string session_id = open("2025-06-18");
  Sent slow = in(session_id, tool_call(1, "wait"));
  REQUIRE(loop.until([&] { return slow.exchange->begun(); }));
  CHECK(slow.read().empty());
}

TEST_CASE_METHOD(EndpointFixture, "a client without streams gets its answer as JSON",
                 "[streamable][events]") {
  begin(impatient());
  const std::string session_id = open();
  Sent slow = post(tool_call(1, "wait"), {{"mcp-session-id", session_id}, {"accept", "application/json"}});
  after(std::chrono::milliseconds(30));
  CHECK_FALSE(slow.exchange->begun());
  calls.at(0)->end(json::object());
  loop.settle();
  CHECK(slow.body()["id"] == 1);
}

TEST_CASE_METHOD(EndpointFixture, "a lost stream is resumed where it broke, and its call goes on",
                 "[streamable][events]") {
  begin(impatient());
  const std::string session_id = open();
  Sent broken = in(session_id, tool_call(1, "wait"));
  REQUIRE(loop.until([&] { return broken.exchange->begun(); }));
  const std::string last = broken.last_id();
  broken.exchange->client_gone();
  CHECK_FALSE(calls.at(0)->call->scope.cancel->cancelled());
  SECTION("the answer comes while nobody is connected") {
    calls[0]->end(json::object());
    loop.settle();
    Sent resumed = get(session_id, last);
    REQUIRE(resumed.messages().size() == 1);
    CHECK(resumed.messages()[0]["id"] == 1);
    CHECK(resumed.exchange->ended());
  }
  SECTION("the answer comes later") {
    Sent resumed = get(session_id, last);
    CHECK(resumed.messages().empty());
    calls[0]->end(json::object());
    loop.settle();
    REQUIRE(resumed.messages().size() == 1);
    CHECK(resumed.exchange->ended());
  }
  CHECK(endpoint->counts().resumed_streams == 1);
  CHECK(endpoint->counts().calls == 0);
}

TEST_CASE_METHOD(EndpointFixture, "what cannot be resumed is said, not skipped", "[streamable][events]") {
  const std::string session_id = open();
  for (const char* id : {"9-1", "0-5", "x"}) CHECK(get(session_id, id).status() == 400);
}

TEST_CASE_METHOD(EndpointFixture, "events of no request go to the GET stream, each to one connection",
                 "[streamable][events]") {
  const std::string session_id = open();
  in(session_id, {{"method", "notifications/initialized"}});
  Sent early = get(session_id);
  endpoint->list_changed(mcp::Session::List::Tools);
  CHECK(early.messages().size() == 1);
  early.exchange->client_gone();
  endpoint->list_changed(mcp::Session::List::Tools);  // kept for the next connection
  Sent next = get(session_id);
  CHECK(next.messages().size() == 1);
  Sent resumed = get(session_id, early.last_id());
  CHECK(next.exchange->ended());  // the client has opened it again
  CHECK(resumed.messages().size() == 1);
}

TEST_CASE_METHOD(EndpointFixture, "a cancelled request ends its stream without an answer", "[streamable]") {
  begin(impatient());
  const std::string session_id = open();
  Sent slow = in(session_id, tool_call(1, "wait"));
  REQUIRE(loop.until([&] { return slow.exchange->begun(); }));
  CHECK(in(session_id, {{"method", "notifications/cancelled"}, {"params", {{"requestId", 1}}}}).status() ==
        202);
  CHECK(calls.at(0)->call->scope.cancel->cancelled());
  CHECK(slow.exchange->ended());
  CHECK(slow.messages().empty());
  CHECK(endpoint->counts().calls == 0);
}

TEST_CASE_METHOD(EndpointFixture, "a batch is answered in one stream, by the revision that has them",
                 "[streamable]") {
  const json batch = json::array({{{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}},
                                  {{"jsonrpc", "2.0"}, {"id", 2}, {"method", "ping"}},
                                  {{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}}});
  Sent both = in(open("2025-03-26"), batch);
  CHECK(both.messages().size() == 2);
  CHECK(both.exchange->ended());
  CHECK(in(open(), batch).status() == 400);
}

// --- the modern era

TEST_CASE_METHOD(EndpointFixture, "a modern request needs no session and leaves nothing",
                 "[streamable][modern]") {
  const Sent answer = modern(tool_call(1, "echo", {{"text", "hi"}}), "echo");
  CHECK(answer.status() == 200);
  CHECK(answer.body()["result"]["resultType"] == "complete");
  CHECK(answer.field("mcp-session-id").empty());
  loop.settle();
  CHECK(sessions.at(0).expired());
}

TEST_CASE_METHOD(EndpointFixture, "the status of a modern answer is that of its error",
                 "[streamable][modern]") {
  CHECK(modern({{"id", 1}, {"method", "no/such"}}).status() == 404);
  CHECK(modern(tool_call(1, "missing"), "missing").status() == 400);
  CHECK(modern(tool_call(1, "echo"), "wait").body()["error"]["code"] == -32020);
  Sent other = post(
      {{"id", 1},
       {"method", "tools/list"},
       {"params",
        {{"_meta",
          {{mcp::kMetaProtocolVersion, "2030-01-01"}, {mcp::kMetaClientCapabilities, json::object()}}}}}},
      {{"mcp-protocol-version", "2030-01-01"}, {"mcp-method", "tools/list"}});
  CHECK(other.status() == 400);
  CHECK(other.body()["error"]["code"] == mcp::kUnsupportedProtocolVersion);
}

TEST_CASE_METHOD(EndpointFixture, "closing a modern stream cancels its call, and no other",
                 "[streamable][modern]") {
  Sent one = modern(tool_call(1, "wait"), "wait");
  Sent two = modern(tool_call(1, "wait"), "wait");  // ids are each client's own
  CHECK(endpoint->counts().calls == 2);
  one.exchange->client_gone();
  loop.settle();
  CHECK(calls.at(0)->call->scope.cancel->cancelled());
  CHECK_FALSE(calls.at(1)->call->scope.cancel->cancelled());
  calls[1]->end(json::object());
  loop.settle();
  CHECK(two.status() == 200);
  CHECK(endpoint->counts().calls == 0);
}

TEST_CASE_METHOD(EndpointFixture, "a modern stream begins when something comes before the answer",
                 "[streamable][modern]") {
  json message = tool_call(1, "wait");
  message["params"]["_meta"] = {{"progressToken", "t"}};
  Sent slow = modern(std::move(message), "wait");
  REQUIRE(loop.until([&] { return slow.exchange->begun(); }));
  REQUIRE(loop.until([&] { return !slow.messages().empty(); }));
  CHECK(slow.messages()[0]["method"] == "notifications/progress");
  calls.at(0)->end(json::object());
  loop.settle();
  CHECK(slow.messages().back()["id"] == 1);
  CHECK(slow.exchange->ended());
}

TEST_CASE_METHOD(EndpointFixture, "a modern notification is accepted", "[streamable][modern]") {
  CHECK(post({{"method", "notifications/anything"}}).status() == 202);
}

// --- quotas

TEST_CASE_METHOD(EndpointFixture, "one client cannot take all calls", "[streamable][quota]") {
  EndpointLimits limits;
  limits.max_client_calls = 2;
  limits.max_calls = 3;
  begin(limits);
  const auto from = [&](const char* client) {
    json message = tool_call(1, "wait");
    message["params"]["_meta"] = modern_meta();
    return send(request(
        "POST", {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/call"}, {"mcp-name", "wait"}},
        std::move(message), client));
  };
  Sent a = from("a"), b = from("a"), refused = from("a"), other = from("b"), full = from("c");
  CHECK(refused.status() == 429);
  CHECK_FALSE(refused.field("retry-after").empty());
  CHECK(other.status() == 0);
  CHECK(full.status() == 503);
  CHECK(endpoint->counts().refused_calls == 2);
  a.exchange->client_gone();
  loop.settle();
  CHECK(from("a").status() == 0);
}

TEST_CASE_METHOD(EndpointFixture, "a session that was idle longest gives way", "[streamable][quota]") {
  EndpointLimits limits;
  limits.max_client_sessions = 2;
  limits.session_grace = io::Clock::duration::zero();
  begin(limits);
  const std::string busy = open();
  Sent waiting = in(busy, tool_call(1, "wait"));
  const std::string idle = open();
  const std::string third = open();
  CHECK(in(idle, {{"id", 1}, {"method", "ping"}}).status() == 404);
  CHECK(in(third, {{"id", 1}, {"method", "ping"}}).status() == 200);
  CHECK(waiting.status() == 0);
}

TEST_CASE_METHOD(EndpointFixture, "a session that its client has just opened gives way to no other",
                 "[streamable][quota]") {
  EndpointLimits limits;
  limits.max_client_sessions = 2;
  begin(limits);
  const std::string first = open();
  const std::string second = open();
  Sent refused = post(opening());
  CHECK(refused.status() == 503);
  CHECK(refused.field("retry-after") == "30");
  for (const std::string& session_id : {first, second})
    CHECK(in(session_id, {{"id", 1}, {"method", "ping"}}).status() == 200);
}

TEST_CASE_METHOD(EndpointFixture, "a session that nobody uses ends", "[streamable][quota]") {
  EndpointLimits limits;
  limits.session_idle = std::chrono::milliseconds(5);
  limits.heartbeat = std::chrono::milliseconds(10);
  begin(limits);
  open();
  CHECK(loop.until([&] { return endpoint->counts().sessions == 0; }));
}

// --- the end

TEST_CASE_METHOD(EndpointFixture, "streams that wait are kept open with comments", "[streamable]") {
  EndpointLimits limits;
  limits.heartbeat = std::chrono::milliseconds(10);
  begin(limits);
  Sent events = get(open());
  CHECK(loop.until([&] { return events.read().find(":\n\n") != std::string::npos; }));
}

TEST_CASE_METHOD(EndpointFixture, "draining ends what only waits, and finishes calls", "[streamable]") {
  const std::string session_id = open();
  Sent events = get(session_id);
  Sent call = in(session_id, tool_call(1, "wait"));
  endpoint->drain();
  CHECK(events.exchange->ended());
  CHECK(post(tool_call(2, "echo")).status() == 503);
  calls.at(0)->end(json::object());
  loop.settle();
  CHECK(call.status() == 200);
}

TEST_CASE_METHOD(EndpointFixture, "closing answers everybody", "[streamable]") {
  Sent legacy = in(open(), tool_call(1, "wait"));
  Sent one = modern(tool_call(1, "wait"), "wait");
  endpoint->close();
  loop.settle();
  for (const Sent* each : {&legacy, &one}) CHECK(each->exchange->ended());
  for (const auto& call : calls) CHECK(call->call->scope.cancel->cancelled());
}

}  // namespace leanbridge::streamable::test
