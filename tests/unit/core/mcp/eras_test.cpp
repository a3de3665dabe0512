// Which revision a message belongs to, and how it is answered.

#include "core/mcp/notifications.hpp"
#include "session_fixture.hpp"

namespace leanbridge::mcp {

using namespace mcp::test;

TEST_CASE_METHOD(SessionFixture, "initialize: a revision that is spoken is echoed, another gets the newest",
                 "[mcp]") {
  const auto [asked, answered] = GENERATE(table<std::string, std::string>({{"2024-11-05", "2024-11-05"},
                                                                           {"2025-03-26", "2025-03-26"},
                                                                           {"2025-06-18", "2025-06-18"},
                                                                           {"2025-11-25", "2025-11-25"},
                                                                           {"2026-07-28", "2025-11-25"},
                                                                           {"1900-01-01", "2025-11-25"},
                                                                           {"", "2025-11-25"}}));
  request(0, "initialize",
          {{"protocolVersion", asked}, {"capabilities", json::object()}, {"clientInfo", json::object()}});
  const json one = answer();
  CHECK(one["id"] == 0);
  CHECK(one["result"]["protocolVersion"] == answered);
  CHECK(one["result"]["serverInfo"] == json({{"name", "leanbridge"}, {"version", "9.9"}}));
  CHECK(one["result"]["instructions"] == "How to use it.");
  CHECK(one["result"]["capabilities"].contains("tools"));
  CHECK_FALSE(one["result"].contains("resultType"));
  CHECK(ready == 0);
  notify("notifications/initialized");
  CHECK(ready == 1);
  notify("notifications/initialized");
  CHECK(ready == 1);
}

TEST_CASE_METHOD(SessionFixture, "initialize without a version is refused, and nothing begins", "[mcp]") {
  for (const json& params : {json(), json::object(), json{{"protocolVersion", 1}}, json::array()}) {
    request(1, "initialize", params);
    CHECK(error()["code"] == -32602);
  }
  request(2, "tools/list");
  CHECK(error()["code"] == -32602);
  notify("notifications/initialized");
  CHECK(ready == 0);
}

TEST_CASE_METHOD(SessionFixture, "before any handshake only ping is answered", "[mcp]") {
  request("p", "ping");
  CHECK(result() == json::object());
  for (const char* method : {"tools/list", "tools/call", "server/discover", "logging/setLevel", "nonsense"}) {
    request(1, method, json::object());
    const json refusal = error();
    CHECK(refusal["code"] == -32602);
    const auto text = refusal["message"].get<std::string>();
    CHECK(text.find("2026-07-28") != std::string::npos);
    CHECK(text.find("2024-11-05") != std::string::npos);
  }
}

TEST_CASE_METHOD(SessionFixture, "legacy: list, ping, unknown methods", "[mcp]") {
  initialize();
  request(1, "tools/list");
  const json listed = result();
  CHECK(listed["tools"].size() == 3);
  CHECK(listed["tools"][0]["name"] == "echo");
  CHECK_FALSE(listed.contains("ttlMs"));
  CHECK_FALSE(listed.contains("nextCursor"));
  request(1, "tools/list", {{"cursor", "x"}});
  CHECK(error()["code"] == -32602);
  request(1, "ping");
  CHECK(result() == json::object());
  for (const char* method : {"server/discover", "completion/complete", "nonsense", ""}) {
    request(1, method);
    CHECK(error()["code"] == -32601);
  }
  notify("notifications/unknown");
  CHECK(sent.empty());
}

TEST_CASE_METHOD(SessionFixture, "modern: discover, list, call, without a handshake", "[mcp]") {
  request("server-discover-probe-1", "server/discover", modern());
  const json discovered = answer();
  CHECK(discovered["id"] == "server-discover-probe-1");
  CHECK(discovered["result"]["supportedVersions"] == json::array({"2026-07-28"}));
  CHECK(discovered["result"]["resultType"] == "complete");
  CHECK(discovered["result"]["ttlMs"].is_number_integer());
  CHECK(discovered["result"]["cacheScope"] == "private");
  CHECK(discovered["result"]["instructions"] == "How to use it.");
  CHECK(discovered["result"]["_meta"][kMetaServerInfo]["name"] == "leanbridge");
  CHECK(ready == 0);
  request(1, "tools/list", modern());
  const json listed = result();
  CHECK(listed["resultType"] == "complete");
  CHECK(listed["ttlMs"].is_number_integer());
  CHECK(listed["_meta"].contains(kMetaServerInfo));
  CHECK(ready == 1);
  call(2, "echo", {{"text", "x"}}, modern_meta());
  const json called = result();
  CHECK(called["structuredContent"]["text"] == "x");
  CHECK(called["resultType"] == "complete");
  for (const char* method : {"initialize", "ping", "logging/setLevel", "nonsense"}) {
    request(3, method, modern());
    CHECK(error()["code"] == -32601);
  }
}

TEST_CASE_METHOD(SessionFixture, "modern: another version is refused with those there are", "[mcp]") {
  const auto version = GENERATE("2025-11-25", "2027-01-01", "");
  request(1, "tools/list",
          {{"_meta", {{kMetaProtocolVersion, version}, {kMetaClientCapabilities, json::object()}}}});
  const json refusal = error();
  CHECK(refusal["code"] == -32022);
  CHECK(refusal["data"] == json({{"supported", {"2026-07-28"}}, {"requested", version}}));
}

TEST_CASE_METHOD(SessionFixture, "modern: missing or wrong keys", "[mcp]") {
  request(1, "tools/list", {{"_meta", {{kMetaProtocolVersion, "2026-07-28"}}}});
  CHECK(error()["code"] == -32602);
  request(1, "tools/list", {{"_meta", {{kMetaProtocolVersion, "2026-07-28"}, {kMetaClientCapabilities, 1}}}});
  CHECK(error()["code"] == -32602);
  request(1, "tools/list",
          {{"_meta", {{kMetaProtocolVersion, 7}, {kMetaClientCapabilities, json::object()}}}});
  CHECK(error()["code"] == -32602);
  request(1, "tools/list", {{"_meta", {{kMetaClientCapabilities, json::object()}}}});  // not a modern request
  CHECK(error()["code"] == -32602);
  request(1, "tools/list", {{"_meta", 3}});
  CHECK(error()["code"] == -32602);
}

TEST_CASE_METHOD(SessionFixture, "both eras in one process, message by message", "[mcp]") {
  request(1, "server/discover", modern());
  sent.clear();
  initialize();  // a client that probed and fell back
  request(2, "tools/list");
  CHECK_FALSE(result().contains("resultType"));
  request(3, "tools/list", modern());
  CHECK(result()["resultType"] == "complete");
  request(4, "ping");
  CHECK(result() == json::object());
  request(5, "tools/list", {{"_meta", {{"progressToken", 1}}}});
  CHECK_FALSE(result().contains("resultType"));
  initialize("2024-11-05");  // and once more
  request(6, "tools/list");
  CHECK(result()["tools"].size() == 3);
}

TEST_CASE_METHOD(SessionFixture, "nothing is remembered of a modern message", "[mcp]") {
  request(1, "tools/list", modern());
  sent.clear();
  request(2, "tools/list");
  CHECK(error()["code"] == -32602);
}

TEST_CASE_METHOD(SessionFixture, "batches exist in one revision", "[mcp]") {
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},7,{"jsonrpc":"2.0","id":2,"method":"ping"}])";
  SECTION("2025-03-26") {
    initialize("2025-03-26");
    line(batch);
    REQUIRE(sent.size() == 3);
    CHECK(sent[0] == json({{"jsonrpc", "2.0"}, {"id", 1}, {"result", json::object()}}));
    CHECK(sent[1]["error"]["code"] == -32600);
    CHECK(sent[2]["id"] == 2);
  }
  SECTION("no other") {
    for (const char* revision : {"", "2024-11-05", "2025-06-18", "2025-11-25"}) {
      if (*revision) initialize(revision);
      line(batch);
      const json one = answer();
      CHECK(one["error"]["code"] == -32600);
      CHECK_FALSE(one.contains("id"));
    }
  }
  SECTION("an empty one is none") {
    initialize("2025-03-26");
    line("[]");
    CHECK(error()["code"] == -32600);
  }
}

TEST_CASE_METHOD(SessionFixture, "what is no message", "[mcp]") {
  initialize();
  line("{nonsense");
  const json broken = answer();
  CHECK(broken["error"]["code"] == -32700);
  CHECK_FALSE(broken.contains("id"));
  line("\xff\xfe");
  CHECK(error()["code"] == -32700);
  line(std::string(100'000, '['));
  CHECK(error()["code"] == -32700);
  line(R"({"jsonrpc":"1.0","id":5,"method":"ping"})");
  CHECK(error()["code"] == -32600);
  line("7");
  CHECK(error()["code"] == -32600);
  line(R"({"jsonrpc":"2.0","id":null,"method":"ping"})");
  CHECK(error()["code"] == -32600);
  line(R"({"jsonrpc":"2.0","id":1,"result":{}})");  // an answer to no request
  CHECK(sent.empty());
  session->receive_oversize(1000);
  CHECK(error()["code"] == -32700);
  request(9, "ping");
  CHECK(result() == json::object());
}

TEST_CASE_METHOD(SessionFixture, "ids keep their type", "[mcp]") {
  initialize();
  for (const json& id : {json(0), json("0"), json(-1), json(9007199254740993), json(""), json("λ")}) {
    request(id, "ping");
    CHECK(answer()["id"] == id);
  }
}

TEST_CASE_METHOD(SessionFixture, "log messages go to those that asked for the level", "[mcp]") {
  session->log("error", "before");
  CHECK(sent.empty());
  SECTION("legacy") {
    initialize();
    session->log("warning", "w");
    REQUIRE(sent.size() == 1);
    CHECK(sent[0]["method"] == "notifications/message");
    CHECK(sent[0]["params"] == json({{"level", "warning"}, {"logger", "leanbridge"}, {"data", "w"}}));
    sent.clear();
    session->log("info", "i");
    session->log("nonsense", "n");
    CHECK(sent.empty());
    request(1, "logging/setLevel", {{"level", "debug"}});
    CHECK(result() == json::object());
    session->log("debug", "d");
    CHECK(sent.size() == 1);
    sent.clear();
    for (const json& wrong : {json{{"level", "loud"}}, json{{"level", 3}}, json::object(), json()}) {
      request(2, "logging/setLevel", wrong);
      CHECK(error()["code"] == -32602);
    }
  }
  SECTION("modern: while a request that asked for it is under way") {
    call(1, "wait", json::object(), modern_meta({{kMetaLogLevel, "info"}}));
    session->log("info", "i");
    session->log("debug", "d");
    CHECK(sent.size() == 1);
    sent.clear();
    calls[0]->end(json::object());
    loop.settle();
    sent.clear();
    session->log("error", "e");
    CHECK(sent.empty());
  }
}

TEST_CASE("the urgency of a level", "[mcp]") {
  CHECK(log_urgency("emergency") == 0);
  CHECK(log_urgency("debug") == 7);
  CHECK_FALSE(log_urgency("warn").has_value());
  CHECK_FALSE(log_urgency(4).has_value());
}

}  // namespace leanbridge::mcp
