#include "core/rpc/peer.hpp"
#include "peer_end.hpp"
#include <catch2/catch.hpp>

#include <memory>

namespace leanbridge::rpc {

using nlohmann::json;
using test::End;
using test::kQuestion;

namespace {

std::string cancel_of(std::string_view id) {
  return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + std::string(id) +
         R"(,"reason":"user"}})";
}

}  // namespace

TEST_CASE("a cancelled request is forgotten, its late answer dropped", "[rpc]") {
  End lsp(Dialect::lsp());
  const Id id = lsp.ask("a");
  CHECK(lsp.peer->cancel(id, "not sent in this dialect"));
  CHECK(lsp.sent.back() == json::parse(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}})"));
  CHECK_FALSE(lsp.peer->cancel(id));
  CHECK_FALSE(lsp.peer->cancel(Id("1")));
  CHECK_FALSE(lsp.peer->cancel(Id(0)));
  CHECK(lsp.sent.size() == 2);
  lsp.receive(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"cancelled"}})");
  CHECK_FALSE(lsp.outcomes[0].has_value());
  CHECK(lsp.peer->stray_responses().late == 1);

  End mcp(Dialect::mcp());
  CHECK(mcp.peer->cancel(mcp.ask("a"), "timeout"));
  CHECK(mcp.sent.back()["params"] == json::parse(R"({"requestId":1,"reason":"timeout"})"));
  CHECK(mcp.peer->cancel(mcp.ask("b")));
  CHECK(mcp.sent.back()["params"] == json::parse(R"({"requestId":2})"));
  const Id answered = mcp.ask("c");
  mcp.receive(R"({"jsonrpc":"2.0","id":3,"result":{}})");
  CHECK_FALSE(mcp.peer->cancel(answered));
}

TEST_CASE("the other side cancels: MCP gets no answer", "[rpc]") {
  End end(Dialect::mcp());
  end.receive(kQuestion);
  std::vector<std::string> reasons;
  end.responders[0].on_cancel([&](const std::string& reason) { reasons.push_back(reason); });
  end.receive(cancel_of("\"1\""));  // another id
  CHECK(reasons.empty());
  end.receive(cancel_of("1"));
  end.receive(cancel_of("1"));
  CHECK(reasons == std::vector<std::string>{"user"});
  CHECK(end.responders[0].cancelled());
  CHECK(end.notifications.empty());  // the cancel notification is the peer's own
  SECTION("whatever it is answered") {
    end.responders[0].result(1);
  }
  SECTION("nor when the Responder is dropped") {
    end.responders.clear();
  }
  CHECK(end.sent.empty());
  CHECK(end.peer->in_flight_count() == 0);
}

TEST_CASE("the other side cancels: LSP gets an answer", "[rpc]") {
  End end(Dialect::lsp());
  end.receive(kQuestion);
  // The handler owns the Responder, which is destroyed with its own table entry.
  auto owned = std::make_shared<Responder>(std::move(end.responders[0]));
  owned->on_cancel([owned](const std::string&) { owned->error({kRequestCancelled, "cancelled", nullptr}); });
  owned.reset();
  end.receive(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}})");
  REQUIRE(end.sent.size() == 1);
  CHECK(end.sent[0]["error"]["code"] == kRequestCancelled);
  CHECK(end.peer->in_flight_count() == 0);
}

TEST_CASE("on_cancel registered after the cancellation is called at once", "[rpc]") {
  End end(Dialect::mcp());
  end.receive(kQuestion);
  end.receive(cancel_of("1"));
  std::string reason;
  end.responders[0].on_cancel([&](const std::string& why) { reason = why; });
  CHECK(reason == "user");
}

TEST_CASE("cancellations of unknown, finished or malformed ids are ignored", "[rpc]") {
  End end(Dialect::mcp());
  end.receive(kQuestion);
  bool cancelled = false;
  end.responders[0].on_cancel([&](const std::string&) { cancelled = true; });
  for (const char* id : {"7", "null", "{}", "true", "1.0"}) end.receive(cancel_of(id));
  for (const char* params : {"[]", "{}", "null", "[1]"}) {
    end.receive(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":)" + std::string(params) +
                "}");
  }
  end.receive(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}})");  // not in this dialect
  CHECK(end.notifications == std::vector<std::string>{"$/cancelRequest"});
  CHECK_FALSE(cancelled);
  end.responders[0].result(1);
  end.receive(cancel_of("1"));
  CHECK_FALSE(cancelled);
  CHECK(end.sent.size() == 1);
}

TEST_CASE("fail_incoming cancels what is in flight and sends nothing", "[rpc]") {
  End end(Dialect::lsp());
  std::vector<std::string> log;
  for (int i = 0; i < 3; ++i) {
    end.receive(R"({"jsonrpc":"2.0","method":"q","id":)" + std::to_string(i) + "}");
    end.responders.back().on_cancel(
        [&log, i](const std::string& reason) { log.push_back(std::to_string(i) + reason); });
  }
  end.peer->fail_incoming(" gone");
  CHECK(log == std::vector<std::string>{"0 gone", "1 gone", "2 gone"});
  CHECK(end.peer->in_flight_count() == 0);
  CHECK(end.responders[0].cancelled());
  bool late = false;
  end.responders[0].on_cancel([&](const std::string&) { late = true; });
  CHECK(late);
  end.responders[0].result(1);
  end.responders.clear();
  CHECK(end.sent.empty());
}

}  // namespace leanbridge::rpc
