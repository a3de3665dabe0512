#include "desk/shared/session_record.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace leanbridge::app {

using nlohmann::json;

namespace {

using Next = SessionRecord::Next;

std::string request(const json& id, const char* method, json params = nullptr) {
  json message = {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  if (!params.is_null()) message["params"] = std::move(params);
  return message.dump();
}
std::string notification(const char* method, const json& params = json::object()) {
  return json{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}.dump();
}
std::string answer(const json& id) {
  return json{{"jsonrpc", "2.0"}, {"id", id}, {"result", {{"id", 99}, {"method", "x"}}}}.dump();
}

// A session that has begun, in the legacy era.
SessionRecord begun() {
  SessionRecord record;
  record.from_client(request(0, "initialize", {{"protocolVersion", "2025-11-25"}}));
  CHECK(record.from_server(answer(0)));
  record.from_client(notification("notifications/initialized"));
  return record;
}

json parsed(const std::string& line) {
  return json::parse(line);
}

// The ids of the errors among the lines.
std::vector<json> failed(const std::vector<std::string>& lines) {
  std::vector<json> ids;
  for (const std::string& line : lines)
    if (const json message = parsed(line); message.contains("error")) ids.push_back(message["id"]);
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace

TEST_CASE("Every request under way gets one error when the server is lost", "[app][shared]") {
  SessionRecord record = begun();
  record.from_client(request(1, "tools/call"));
  record.from_client(request("two", "tools/call"));
  record.from_client(request(3, "tools/list"));
  record.from_client(request(4, "tools/call"));
  CHECK(record.answers_owed() == 4);
  CHECK(record.from_server(answer(3)));
  record.from_client(notification("notifications/cancelled", {{"requestId", 4}}));
  CHECK(record.answers_owed() == 2);
  const auto lines = record.lost("It is gone.", Next::Server);
  REQUIRE(failed(lines) == std::vector<json>{1, "two"});
  CHECK(parsed(lines.front())["error"]["message"] == "It is gone.");
  CHECK(record.answers_owed() == 0);
  CHECK(record.lost("again", Next::Server).empty());
}

TEST_CASE("An id that is used twice is owed two answers", "[app][shared]") {
  SessionRecord record = begun();
  record.from_client(request(1, "tools/call"));
  record.from_client(request(1, "tools/call"));
  CHECK(record.from_server(answer(1)));
  CHECK(record.answers_owed() == 1);
  CHECK(failed(record.lost("gone", Next::Server)) == std::vector<json>{1});
}

TEST_CASE("A listener owes no answer at the end, but an error when the server is lost", "[app][shared]") {
  SessionRecord record;
  record.from_client(request(5, "subscriptions/listen"));
  CHECK(record.answers_owed() == 0);
  CHECK(failed(record.lost("gone", Next::Server)) == std::vector<json>{5});
}

TEST_CASE("The next server is told what opened the session, and its answers go no further", "[app][shared]") {
  SessionRecord record = begun();
  record.from_client(request(1, "logging/setLevel", {{"level", "debug"}}));
  record.from_client(request(2, "resources/subscribe", {{"uri", "lean://a"}}));
  record.from_client(request(3, "resources/subscribe", {{"uri", "lean://b"}}));
  record.from_client(request(4, "resources/unsubscribe", {{"uri", "lean://a"}}));
  for (int id = 1; id <= 4; ++id) CHECK(record.from_server(answer(id)));
  CHECK(record.lost("gone", Next::Server).empty());

  const auto lines = record.opening();
  std::vector<std::string> methods;
  for (const std::string& line : lines) methods.push_back(parsed(line)["method"].get<std::string>());
  CHECK(methods == std::vector<std::string>{"initialize", "notifications/initialized", "logging/setLevel",
                                            "resources/subscribe"});
  CHECK(parsed(lines[0])["params"]["protocolVersion"] == "2025-11-25");
  CHECK(parsed(lines[2])["params"]["level"] == "debug");
  CHECK(parsed(lines[3])["params"]["uri"] == "lean://b");
  for (const std::string& line : lines)
    if (const json message = parsed(line); message.contains("id")) {
      CHECK(message["id"].is_string());
      CHECK(!record.from_server(answer(message["id"])));
      CHECK(record.from_server(answer(message["id"])));  // only once: it could be the client's own
    }
  CHECK(record.answers_owed() == 0);
}

TEST_CASE("An initialize without an answer is answered by the next server", "[app][shared]") {
  SessionRecord record;
  const std::string line = request(0, "initialize", {{"protocolVersion", "2025-11-25"}});
  record.from_client(line);
  CHECK(record.lost("gone", Next::Server).empty());
  CHECK(record.opening() == std::vector<std::string>{line});
  CHECK(record.from_server(answer(0)));
  CHECK(record.answers_owed() == 0);
}

TEST_CASE("An initialize that no server will answer is refused", "[app][shared]") {
  SessionRecord record;
  record.from_client(request(0, "initialize", {{"protocolVersion", "2025-11-25"}}));
  CHECK(failed(record.lost("none", Next::None)) == std::vector<json>{0});
  CHECK(record.opening().empty());
}

TEST_CASE("A modern session opens with nothing", "[app][shared]") {
  SessionRecord record;
  record.from_client(request(0, "server/discover"));
  CHECK(record.from_server(answer(0)));
  CHECK(record.opening().empty());
}

TEST_CASE("What a lost server asked the client is withdrawn", "[app][shared]") {
  SessionRecord record = begun();
  CHECK(record.from_server(request(11, "elicitation/create")));
  CHECK(record.from_server(request(12, "roots/list")));
  record.from_client(answer(12));
  const auto lines = record.lost("gone", Next::Server);
  REQUIRE(lines.size() == 1);
  CHECK(parsed(lines[0])["method"] == "notifications/cancelled");
  CHECK(parsed(lines[0])["params"]["requestId"] == 11);
}

TEST_CASE("Without a server each request of a line is refused, and nothing else answered", "[app][shared]") {
  CHECK(failed(SessionRecord::refusals(request(1, "tools/call"), "none")) == std::vector<json>{1});
  CHECK(SessionRecord::refusals(notification("notifications/cancelled"), "none").empty());
  CHECK(SessionRecord::refusals(answer(3), "none").empty());
  const std::string batch = "[" + request(1, "a") + "," + answer(2) + "," + request(3, "b") + "]";
  CHECK(failed(SessionRecord::refusals(batch, "none")) == std::vector<json>{1, 3});
}

}  // namespace leanbridge::app
