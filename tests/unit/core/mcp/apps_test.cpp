// MCP Apps: which clients show pages, and what these clients get.

#include "core/mcp/apps.hpp"

#include "session_fixture.hpp"

namespace leanbridge::mcp {

using namespace test;

namespace {

json with_apps(const json& settings = {{"mimeTypes", {kAppMimeType}}}) {
  return {{"extensions", {{kAppsExtension, settings}}}};
}

asio::awaitable<Result<json>> page(std::shared_ptr<Call>, std::string) {
  co_return json("<!DOCTYPE html>\n<p>\"Ü\"");
}

struct AppsFixture : SessionFixture {
  AppsFixture() {
    SessionOptions options;
    Resource app;
    app.uri = "ui://test/page";
    app.mime_type = kAppMimeType;
    app.read = page;
    options.resources = {app};
    make(std::move(options), "ui://test/page");
  }
  json ask(Era era, std::string_view method, const json& client, json params = json::object()) {
    if (era == Era::Legacy) {
      request("init", "initialize", {{"protocolVersion", "2025-11-25"}, {"capabilities", client}});
      sent.clear();
    } else {
      params["_meta"] = modern_meta();
      params["_meta"][kMetaClientCapabilities] = client;
    }
    request(1, method, std::move(params));
    loop.settle();
    return result();
  }
};

}  // namespace

TEST_CASE("who shows pages", "[mcp][apps]") {
  CHECK(shows_apps(with_apps()));
  CHECK(shows_apps(with_apps({{"mimeTypes", {"text/plain", kAppMimeType}}})));
  CHECK(shows_apps(with_apps(json::object())));  // there is only one type
  CHECK_FALSE(shows_apps(with_apps({{"mimeTypes", {"text/plain"}}})));
  CHECK_FALSE(shows_apps(with_apps({{"mimeTypes", kAppMimeType}})));
  CHECK_FALSE(shows_apps(with_apps(nullptr)));
  for (const char* other : {"null", "[]", "{}", "7", R"({"extensions": 7})", R"({"extensions": {"x": {}}})"})
    CHECK_FALSE(shows_apps(json::parse(other)));
}

TEST_CASE_METHOD(AppsFixture, "pages are linked and listed for clients that show them, and can be read",
                 "[mcp][apps]") {
  const Era era = GENERATE(Era::Legacy, Era::Modern);
  const json tools = ask(era, "tools/list", with_apps())["tools"];
  REQUIRE(tools.size() == 3);
  CHECK(tools[0]["_meta"] == json{{"ui", {{"resourceUri", "ui://test/page"}}}});
  CHECK_FALSE(tools[1].contains("_meta"));
  const json resources = ask(era, "resources/list", with_apps())["resources"];
  REQUIRE(resources.size() == 1);
  CHECK(resources[0]["mimeType"] == kAppMimeType);

  CHECK_FALSE(ask(era, "tools/list", json::object())["tools"][0].contains("_meta"));
  CHECK(ask(era, "resources/list", json::object())["resources"].empty());
  const json content = ask(era, "resources/read", json::object(), {{"uri", "ui://test/page"}})["contents"][0];
  CHECK(content["mimeType"] == kAppMimeType);
  CHECK(content["text"] == "<!DOCTYPE html>\n<p>\"Ü\"");
  CHECK(content["_meta"]["ui"] == json{{"prefersBorder", true}});
}

TEST_CASE_METHOD(AppsFixture, "the extension is declared to clients that declare it", "[mcp][apps]") {
  const auto declared = [&](const json& client) {
    request(1, "initialize", {{"protocolVersion", "2025-11-25"}, {"capabilities", client}});
    const json legacy = result()["capabilities"];
    const json modern = ask(Era::Modern, "server/discover", client)["capabilities"];
    const auto of = [](const json& all) {
      return all.value("extensions", json::object()).value(kAppsExtension, json());
    };
    CHECK(of(legacy) == of(modern));
    return of(modern);
  };
  CHECK(declared(with_apps()) == json::object());
  CHECK(declared(json::object()) == json());
}

}  // namespace leanbridge::mcp
