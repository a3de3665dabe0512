#pragma once
/// A Session with fake tools, driven by lines.

#include "core/mcp/session.hpp"
#include "support/loop.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::mcp::test {

using namespace leanbridge::test;
using nlohmann::json;

/// One call of the tool `wait`, which ends when the test says so, or with its scope.
struct WaitingCall {
  std::shared_ptr<Call> call;
  json arguments = json::object();
  std::optional<Result<json>> answer;
  io::Condition changed;

  void end(Result<json> with) {
    answer.emplace(std::move(with));
    changed.notify_all();
  }
};

/// The arguments and answers of the tools.
struct TextParams {
  std::string text;
  static wire::Fields fields() { return {wire::field<&TextParams::text>().with_default()}; }
};

struct SessionFixture {
  SessionFixture() { make({}); }
  SessionFixture(const SessionFixture&) = delete;
  SessionFixture& operator=(const SessionFixture&) = delete;
  // As at the end of the program: calls still under way must not write to `sent` when the loop is destroyed.
  ~SessionFixture() {
    if (session) session->close();
  }

  /// `app`: the page of the tool `echo`.
  void make(SessionOptions options, std::string app = "") {
    options.version = "9.9";
    options.instructions = "How to use it.";
    std::vector<Tool> list = {tool("echo", &SessionFixture::echo), tool("throw", &SessionFixture::throws),
                              tool("wait", &SessionFixture::wait)};
    list[0].app = std::move(app);
    for (Tool& each : list) each.may_be_task = true;
    registry.emplace(ToolRegistry::select(std::move(list), {"proof"}, {}).value());
    session = std::make_shared<Session>(
        loop.context, *registry, std::move(options),
        [this](std::string&& text) { sent.push_back(json::parse(text)); }, [this] { ++ready; });
  }

  Tool tool(std::string name,
            asio::awaitable<Result<json>> (SessionFixture::*handler)(std::shared_ptr<Call>, json)) {
    Tool tool;
    tool.name = std::move(name);
    tool.group = "proof";
    tool.arguments = TextParams::fields();
    tool.output = TextParams::fields();
    tool.handler = [this, handler](std::shared_ptr<Call> call, json arguments) {
      return (this->*handler)(std::move(call), std::move(arguments));
    };
    return tool;
  }
  asio::awaitable<Result<json>> echo(std::shared_ptr<Call>, json arguments) {
    co_return wire::write(wire::read<TextParams>(arguments));
  }
  asio::awaitable<Result<json>> throws(std::shared_ptr<Call>, json) {
    throw std::runtime_error("a broken invariant");
    co_return json();
  }
  asio::awaitable<Result<json>> wait(std::shared_ptr<Call> call, json arguments) {
    const auto waiting = std::make_shared<WaitingCall>();
    waiting->call = call;
    waiting->arguments = std::move(arguments);
    calls.push_back(waiting);
    const io::WaitStatus end = co_await io::wait_until(waiting->changed, call->scope,
                                                       [waiting] { return waiting->answer.has_value(); });
    if (end == io::WaitStatus::Cancelled) co_return fail(ErrorKind::Cancelled, "cancelled");
    if (end == io::WaitStatus::TimedOut) co_return fail(ErrorKind::Timeout, "too late", "more time");
    co_return std::move(*waiting->answer);
  }

  void line(std::string_view text) {
    asio::post(loop.context, [this, text] { session->receive(text); });
    loop.settle();
  }
  void message(json message) {
    message["jsonrpc"] = "2.0";
    line(message.dump());
  }
  void request(json id, std::string_view method, json params = nullptr) {
    json request = {{"id", std::move(id)}, {"method", method}};
    if (!params.is_null()) request["params"] = std::move(params);
    message(std::move(request));
  }
  void notify(std::string_view method, json params = json::object()) {
    message({{"method", method}, {"params", std::move(params)}});
  }
  void call(json id, std::string_view name, json arguments = json::object(), json meta = nullptr) {
    json params = {{"name", name}, {"arguments", std::move(arguments)}};
    if (!meta.is_null()) params["_meta"] = std::move(meta);
    request(std::move(id), "tools/call", std::move(params));
  }
  void initialize(std::string_view revision = "2025-11-25") {
    request("init", "initialize", {{"protocolVersion", revision}, {"capabilities", json::object()}});
    sent.clear();
  }
  void cancel(json id) { notify("notifications/cancelled", {{"requestId", std::move(id)}}); }

  static json modern_meta(json more = json::object()) {
    more[kMetaProtocolVersion] = "2026-07-28";
    more[kMetaClientCapabilities] = json::object();
    return more;
  }
  static json modern(json params = json::object()) {
    params["_meta"] = modern_meta();
    return params;
  }

  /// Takes the only answer.
  json answer() {
    REQUIRE(sent.size() == 1);
    json one = std::move(sent.front());
    sent.clear();
    return one;
  }
  json result() {
    json one = answer();
    INFO(one.dump());
    REQUIRE(one.contains("result"));
    return one["result"];
  }
  json error() {
    json one = answer();
    INFO(one.dump());
    REQUIRE(one.contains("error"));
    return one["error"];
  }

  Loop loop;
  std::optional<ToolRegistry> registry;
  std::vector<json> sent;
  std::vector<std::shared_ptr<WaitingCall>> calls;
  int ready = 0;
  std::shared_ptr<Session> session;
};

}  // namespace leanbridge::mcp::test
