// A session with a provider: what it passes through in both directions.

#include "core/mcp/provider.hpp"

#include "core/mcp/host.hpp"
#include "session_fixture.hpp"

namespace leanbridge::mcp {

using namespace leanbridge::mcp::test;

namespace {

/// One tool, prompt and resource of each kind; remembers the last call.
struct FakeProvider : ToolProvider {
  json tools() const override { return json::array(); }
  bool knows_tool(const std::string& name) const override { return name == "other__ask"; }
  asio::awaitable<ProxiedResult> call_tool(std::string, json, std::shared_ptr<ProxiedCall> call) override {
    last = call;
    if (refuse) {
      call->refusal = rpc::RpcError{kMissingClientCapability, "No model.", nullptr};
      co_return fail(ErrorKind::BackendError, "The server refused it.");
    }
    co_return result;
  }
  json prompts() const override { return json::array(); }
  bool knows_prompt(const std::string&) const override { return false; }
  asio::awaitable<ProxiedResult> get_prompt(std::string, json, std::shared_ptr<ProxiedCall>) override {
    co_return json::object();
  }
  json resources() const override { return json::array({{{"uri", "test://one"}, {"name", "one"}}}); }
  json resource_templates() const override {
    return json::array({{{"uriTemplate", "test://{id}"}, {"name", "each"}}});
  }
  bool knows_resource(const std::string& uri) const override { return uri.starts_with("test://"); }
  asio::awaitable<ProxiedResult> read_resource(std::string uri, std::shared_ptr<ProxiedCall>) override {
    if (uri == "test://gone") co_return fail(ErrorKind::InvalidArgument, "It is gone.");
    co_return json{{"contents", json::array({{{"uri", uri}, {"blob", "AA=="}}})}};
  }
  Result<Watch> watch_resource(const std::string& uri) override {
    if (uri == "test://fixed") return fail(ErrorKind::NotSupported, "It never changes.");
    return [](io::CancelScope scope, std::function<void()> changed) -> asio::awaitable<void> {
      changed();
      co_await io::sleep_for(std::chrono::hours(1), scope);
    };
  }
  bool completes(const json& ref) const override { return ref.value("name", "") == "other__prompt"; }
  asio::awaitable<ProxiedResult> complete(json params, std::shared_ptr<ProxiedCall>) override {
    const json values = json::array({params["argument"]["value"].get<std::string>() + "!"});
    co_return json{{"completion", {{"values", values}}}};
  }
  void roots_changed() override { ++told_of_roots; }

  std::shared_ptr<ProxiedCall> last;
  json result = {{"content", json::array()}};
  bool refuse = false;
  int told_of_roots = 0;
};

struct ProviderFixture : SessionFixture {
  ProviderFixture() {
    SessionOptions options;
    options.provider = &provider;
    make(std::move(options));
  }
  void initialize_with(json capabilities) {
    request("init", "initialize",
            {{"protocolVersion", "2025-11-25"}, {"capabilities", std::move(capabilities)}});
    offered = result()["capabilities"];
  }
  /// A modern call of the provider's tool.
  void ask(json capabilities, json more = json::object()) {
    json params = {{"name", "other__ask"}, {"arguments", json::object()}};
    params.update(more);
    params["_meta"] = modern_meta();
    params["_meta"][kMetaClientCapabilities] = std::move(capabilities);
    request(1, "tools/call", std::move(params));
  }

  FakeProvider provider;
  json offered;
};

const json kForms = {{"elicitation", {{"form", json::object()}}}};

}  // namespace

TEST_CASE("Which capabilities let a server ask", "[mcp][provider]") {
  const json all = {{"elicitation", json::object()},
                    {"sampling", json::object()},
                    {"roots", {{"listChanged", true}}},
                    {"experimental", json::object()}};
  CHECK(askable(all) == json{{"elicitation", json::object()},
                             {"sampling", json::object()},
                             {"roots", {{"listChanged", true}}}});
  CHECK(askable({{"roots", true}}).empty());
  CHECK(askable(nullptr).empty());
  CHECK(can_answer(all, "sampling/createMessage"));
  CHECK(can_answer(kForms, "elicitation/create"));
  CHECK_FALSE(can_answer(kForms, "roots/list"));
  CHECK_FALSE(can_answer(all, "tools/call"));
  CHECK_FALSE(can_answer(nullptr, "roots/list"));
}

TEST_CASE_METHOD(ProviderFixture, "A legacy client is asked for what it declared", "[mcp][provider]") {
  CHECK(session->host()->capabilities().empty());
  initialize_with({{"elicitation", {{"form", json::object()}}}, {"other", json::object()}});
  CHECK(session->host()->capabilities() == kForms);
  const auto cancel = std::make_shared<io::CancelSource>();
  json params = {{"message", "?"}};
  auto running = loop.start(session->host()->ask("elicitation/create", params, patient(cancel)));
  loop.settle();
  const json asked = answer();
  CHECK(asked["method"] == "elicitation/create");
  CHECK(asked["params"] == params);
  SECTION("and answers") {
    message({{"id", asked["id"]}, {"result", {{"action", "decline"}}}});
    CHECK(loop.finish(running).value()["action"] == "decline");
  }
  SECTION("or refuses") {
    message({{"id", asked["id"]}, {"error", {{"code", -1}, {"message", "no"}}}});
    CHECK(loop.finish(running).error().code == -1);
  }
  SECTION("or is told that the answer is no longer needed") {
    cancel->cancel();
    CHECK(loop.finish(running).error().code == rpc::kInternalError);
    CHECK(answer()["method"] == "notifications/cancelled");
  }
  SECTION("or goes") {
    session->close();
    CHECK(loop.finish(running).error().code == rpc::kInternalError);
  }
}

TEST_CASE_METHOD(ProviderFixture, "The client's roots change", "[mcp][provider]") {
  initialize_with({{"roots", {{"listChanged", true}}}});
  notify("notifications/roots/list_changed");
  CHECK(provider.told_of_roots == 1);
}

TEST_CASE_METHOD(ProviderFixture, "A modern call carries what its client offers, and its answers",
                 "[mcp][provider]") {
  ask(kForms, {{"inputResponses", {{"a", json::object()}}}, {"requestState", "s"}});
  CHECK(result()["resultType"] == "complete");
  REQUIRE(provider.last);
  CHECK(provider.last->era == Era::Modern);
  CHECK(provider.last->capabilities == kForms);
  CHECK(provider.last->input == json{{"inputResponses", {{"a", json::object()}}}, {"requestState", "s"}});
}

TEST_CASE_METHOD(ProviderFixture, "A modern result that asks for input stays so", "[mcp][provider]") {
  provider.result = {{"resultType", "input_required"}, {"requestState", "s"}};
  ask(kForms);
  const json got = result();
  CHECK(got["resultType"] == "input_required");
  CHECK(got["requestState"] == "s");
  CHECK_FALSE(got.contains("content"));
}

TEST_CASE_METHOD(ProviderFixture, "A refusal of the protocol reaches a modern client as it is",
                 "[mcp][provider]") {
  provider.refuse = true;
  ask(json::object());
  CHECK(error()["code"] == kMissingClientCapability);
  initialize_with(json::object());
  call(2, "other__ask");
  CHECK(result()["isError"] == true);
}

TEST_CASE_METHOD(ProviderFixture, "Resources of other servers", "[mcp][provider]") {
  initialize_with(json::object());
  CHECK(offered["resources"] == json{{"subscribe", true}, {"listChanged", true}});
  request(1, "resources/list");
  CHECK(result()["resources"][0]["uri"] == "test://one");
  request(2, "resources/templates/list");
  CHECK(result()["resourceTemplates"][0]["uriTemplate"] == "test://{id}");
  request(3, "resources/read", {{"uri", "test://one"}});
  CHECK(result() == json{{"contents", json::array({{{"uri", "test://one"}, {"blob", "AA=="}}})}});
  request(4, "resources/read", {{"uri", "test://gone"}});
  CHECK(error()["code"] == kLegacyResourceNotFound);
  request(5, "resources/read", {{"uri", "nobody://x"}});
  CHECK(error()["code"] == kLegacyResourceNotFound);
  request(6, "resources/subscribe", {{"uri", "test://fixed"}});
  CHECK(error()["code"] == rpc::kInvalidParams);
  request(7, "resources/subscribe", {{"uri", "test://one"}});
  REQUIRE(loop.until([&] { return sent.size() == 2; }));
  CHECK(sent[0]["result"] == json::object());
  CHECK(sent[1]["method"] == "notifications/resources/updated");
  sent.clear();
  notify("notifications/initialized");
  session->list_changed(Session::List::Resources);
  CHECK(answer()["method"] == "notifications/resources/list_changed");
}

TEST_CASE_METHOD(ProviderFixture, "A modern read says how long it may be kept", "[mcp][provider]") {
  request(1, "resources/read", modern({{"uri", "test://one"}}));
  const json read = result();
  CHECK(read["ttlMs"] == 0);
  CHECK(read["cacheScope"] == "private");
  request(2, "resources/read", modern({{"uri", "test://gone"}}));
  CHECK(error()["code"] == rpc::kInvalidParams);
}

TEST_CASE_METHOD(ProviderFixture, "Completion", "[mcp][provider]") {
  initialize_with(json::object());
  CHECK(offered["completions"] == json::object());
  const json argument = {{"name", "a"}, {"value", "x"}};
  request(1, "completion/complete",
          {{"ref", {{"type", "ref/prompt"}, {"name", "other__prompt"}}}, {"argument", argument}});
  CHECK(result()["completion"]["values"] == json::array({"x!"}));
  request(2, "completion/complete",
          {{"ref", {{"type", "ref/prompt"}, {"name", "nobody"}}}, {"argument", argument}});
  CHECK(error()["code"] == rpc::kInvalidParams);
  for (const json& wrong :
       {json::object(), json{{"ref", "x"}}, json{{"ref", {{"type", "ref/prompt"}}}, {"argument", "x"}},
        json{{"ref", {{"type", "ref/prompt"}, {"name", "other__prompt"}}}, {"argument", {{"name", "a"}}}},
        json{{"ref", {{"type", "ref/file"}}}, {"argument", argument}}}) {
    request(3, "completion/complete", wrong);
    CHECK(error()["code"] == rpc::kInvalidParams);
  }
}

}  // namespace leanbridge::mcp
