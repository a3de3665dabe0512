#include "core/rpc/peer.hpp"

#include "peer_end.hpp"
#include <catch2/catch.hpp>

#include <algorithm>

namespace leanbridge::rpc {

using nlohmann::json;
using test::End;
using test::kQuestion;

TEST_CASE("a request is sent with a new id and completed by its response", "[rpc]") {
  End end(Dialect::lsp());
  CHECK(end.ask("a") == Id(1));
  CHECK(end.ask("b") == Id(2));
  CHECK(end.sent[1] == json::parse(R"({"jsonrpc":"2.0","id":2,"method":"b","params":{}})"));
  CHECK(end.peer->pending_count() == 2);
  end.receive(R"({"jsonrpc":"2.0","id":2,"result":[1]})");
  end.receive(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32801,"message":"changed"}})");
  CHECK(end.outcomes[1] == Outcome(Success{json::array({1})}));
  CHECK(end.outcomes[0] == Outcome(RpcError{kContentModified, "changed", nullptr}));
  CHECK(end.peer->pending_count() == 0);
  CHECK(end.ask("c") == Id(3));
}

TEST_CASE("requests begin with the id that the owner of the connection has chosen", "[rpc]") {
  constexpr std::int64_t kFirst = (std::int64_t{2} << 32) + 1;
  End end(Dialect::mcp(), {.first_request = kFirst});
  CHECK(end.ask("a") == Id(kFirst));
  CHECK(end.ask("b") == Id(kFirst + 1));
  end.receive(R"({"jsonrpc":"2.0","id":1,"result":0})");  // asked by another process, before
  CHECK(end.peer->pending_count() == 2);
  end.receive(make_result(Id(kFirst), 7));
  CHECK(end.outcomes[0] == Outcome(Success{7}));
}

TEST_CASE("stray responses are counted and ignored", "[rpc]") {
  End end(Dialect::lsp());
  end.ask("a");
  end.receive(R"({"jsonrpc":"2.0","id":"1","result":0})");  // another type, so not our id
  end.receive(R"({"jsonrpc":"2.0","id":1.0,"result":0})");
  end.receive(R"({"jsonrpc":"2.0","id":2,"result":0})");
  end.receive(R"({"jsonrpc":"2.0","id":-1,"result":0})");
  end.receive(R"({"jsonrpc":"2.0","id":18446744073709551615,"result":0})");
  end.receive(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}})");
  CHECK(end.peer->stray_responses().unknown == 6);
  CHECK(end.peer->pending_count() == 1);
  end.receive(R"({"jsonrpc":"2.0","id":1,"result":0})");
  end.receive(R"({"jsonrpc":"2.0","id":1,"result":0})");  // twice
  CHECK(end.peer->stray_responses().late == 1);
  CHECK(end.outcomes[0].has_value());
}

TEST_CASE("the ids of the two directions do not mix", "[rpc]") {
  End end(Dialect::lsp());
  end.ask("ours");
  end.receive(kQuestion);  // id 1 as well
  CHECK(end.requests.size() == 1);
  CHECK_FALSE(end.outcomes[0].has_value());
  end.responders[0].result("theirs");
  CHECK(end.sent.back() == json::parse(R"({"jsonrpc":"2.0","id":1,"result":"theirs"})"));
  CHECK(end.peer->pending_count() == 1);
  end.receive(R"({"jsonrpc":"2.0","id":1,"result":"ours"})");
  CHECK(end.outcomes[0] == Outcome(Success{"ours"}));
}

TEST_CASE("fail_all completes everything that is pending, oldest first", "[rpc]") {
  End end(Dialect::lsp());
  std::vector<int> order;
  for (int i = 0; i < 20; ++i) {
    REQUIRE(end.peer->request("q", nullptr, [&order, i](Outcome outcome) {
      CHECK(outcome == Outcome(ConnectionLost{"lake exited"}));
      order.push_back(i);
    }));
  }
  // A request that a completion sends does not fail with the others.
  REQUIRE(end.peer->request("q", nullptr, [&](Outcome) { end.ask("again"); }));
  end.peer->fail_all("lake exited");
  REQUIRE(order.size() == 20);
  CHECK(std::is_sorted(order.begin(), order.end()));
  CHECK(end.peer->pending_count() == 1);
  CHECK_FALSE(end.outcomes[0].has_value());
  end.receive(R"({"jsonrpc":"2.0","id":5,"result":0})");
  CHECK(end.peer->stray_responses().late == 1);
}

TEST_CASE("the number of pending requests is bounded", "[rpc]") {
  End end(Dialect::lsp(), {2, 2});
  end.ask("a");
  end.ask("b");
  bool called = false;
  const auto refused = end.peer->request("c", nullptr, [&](const Outcome&) { called = true; });
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().kind == ErrorKind::Internal);
  CHECK_FALSE(called);
  CHECK(end.sent.size() == 2);

  end.receive(R"({"jsonrpc":"2.0","id":1,"method":"q"})");
  end.receive(R"({"jsonrpc":"2.0","id":2,"method":"q"})");
  end.receive(R"({"jsonrpc":"2.0","id":3,"method":"q"})");
  CHECK(end.requests.size() == 2);
  CHECK(end.sent.back()["error"]["code"] == kInternalError);
  CHECK(end.sent.back()["id"] == 3);
}

TEST_CASE("requests of every id type are answered with that id", "[rpc]") {
  End end(Dialect::mcp());
  for (const char* id : {"0", "\"0\"", "-3", "1.5", "18446744073709551615", "\"register_lean_watcher\""}) {
    CAPTURE(id);
    end.receive(R"({"jsonrpc":"2.0","method":"q","id":)" + std::string(id) + "}");
    CHECK(end.requests.back().params.is_null());
    end.responders.back().result(nullptr);
    CHECK(end.sent.back()["id"].dump() == id);
    CHECK(end.sent.back()["result"].is_null());
    CHECK(end.peer->in_flight_count() == 0);
  }
}

TEST_CASE("a request is answered exactly once", "[rpc]") {
  End end(Dialect::mcp());
  end.receive(kQuestion);
  CHECK(end.peer->in_flight_count() == 1);
  SECTION("with an error") {
    end.responders[0].error({kInvalidParams, "no", nullptr});
    CHECK(end.sent.back()["error"]["code"] == kInvalidParams);
    CHECK_FALSE(end.responders[0].open());
  }
  SECTION("by moved Responders") {
    Responder moved = std::move(end.responders[0]);
    Responder again = std::move(moved);
    end.responders.clear();
    CHECK(end.sent.empty());
    again.result(1);
  }
  SECTION("dropped: by an internal error") {
    end.responders.clear();
    CHECK(end.sent.back()["error"]["code"] == kInternalError);
  }
  SECTION("overwritten: by an internal error") {
    end.receive(R"({"jsonrpc":"2.0","id":2,"method":"q"})");
    end.responders[0] = std::move(end.responders[1]);
    CHECK(end.sent.back()["id"] == 1);
    CHECK(end.sent.back()["error"]["code"] == kInternalError);
    end.responders[0].abandon();
  }
  SECTION("or not at all when abandoned") {
    end.responders[0].abandon();
    end.responders.clear();
    CHECK(end.sent.empty());
    CHECK(end.peer->in_flight_count() == 0);
    return;
  }
  CHECK(end.sent.size() == 1);
  CHECK(end.peer->in_flight_count() == 0);
}

TEST_CASE("an id in flight cannot be used twice at once, but again later", "[rpc]") {
  End end(Dialect::mcp());
  end.receive(kQuestion);
  end.receive(kQuestion);
  CHECK(end.requests.size() == 1);
  CHECK(end.sent.back()["error"]["code"] == kInvalidRequest);
  CHECK(end.sent.back()["id"] == 1);
  CHECK(end.peer->in_flight_count() == 1);
  end.responders[0].result(1);
  end.receive(kQuestion);
  CHECK(end.requests.size() == 2);
  end.responders[1].result(2);
  CHECK(end.sent.back()["result"] == 2);
}

TEST_CASE("without a handler requests are unknown methods and notifications ignored", "[rpc]") {
  std::vector<json> sent;
  Peer peer(Dialect::lsp(), [&](std::string&& text) { sent.push_back(json::parse(text)); }, {});
  peer.receive(Request{Id(1), "q", nullptr});
  peer.receive(Notification{"n", nullptr});
  peer.receive(Batch{});
  REQUIRE(sent.size() == 1);
  CHECK(sent[0]["error"]["code"] == kMethodNotFound);
}

TEST_CASE("a Responder of an earlier request cannot answer a later one with its id", "[rpc]") {
  End end(Dialect::lsp());
  end.receive(kQuestion);
  end.peer->fail_incoming("restart");
  end.receive(kQuestion);
  end.responders[0].result("old");
  CHECK(end.sent.empty());
  end.responders[1].result("new");
  CHECK(end.sent.back()["result"] == "new");
}

TEST_CASE("a Responder that outlives its Peer is harmless", "[rpc]") {
  End end(Dialect::lsp());
  for (int i = 0; i < 4; ++i) end.receive(R"({"jsonrpc":"2.0","method":"q","id":)" + std::to_string(i) + "}");
  end.ask("pending");
  end.sent.clear();
  end.peer.reset();
  CHECK(end.responders[0].cancelled());
  end.responders[0].on_cancel([](const std::string&) {});
  end.responders[0].result(1);
  end.responders[1].error({});
  end.responders[2].abandon();
  end.responders.clear();
  CHECK(end.sent.empty());
  CHECK_FALSE(end.outcomes[0].has_value());
}

TEST_CASE("callbacks may destroy the Peer", "[rpc]") {
  End end(Dialect::lsp());
  SECTION("from a completion") {
    REQUIRE(end.peer->request("q", nullptr, [&](Outcome) { end.peer.reset(); }));
    end.receive(R"({"jsonrpc":"2.0","id":1,"result":0})");
  }
  SECTION("from fail_all") {
    REQUIRE(end.peer->request("q", nullptr, [&](Outcome) { end.peer.reset(); }));
    end.ask("q");
    end.peer->fail_all("lost");
  }
  SECTION("from on_request") {
    std::vector<json> sent;
    std::optional<Peer> peer;
    Peer::Handlers handlers;
    handlers.on_request = [&](const Request&, Responder responder) {
      peer.reset();
      responder.result(1);
    };
    peer.emplace(
        Dialect::lsp(), [&](std::string&& text) { sent.push_back(json::parse(text)); }, handlers);
    peer->receive(Request{Id(1), "q", nullptr});
    CHECK(sent.empty());
    end.peer.reset();
  }
  SECTION("from on_cancel") {
    end.receive(kQuestion);
    end.responders[0].on_cancel([&](const std::string&) { end.peer.reset(); });
    end.receive(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}})");
    end.responders.clear();
    CHECK(end.sent.empty());
  }
  SECTION("tables that own Responders") {
    end.receive(kQuestion);
    auto owned = std::make_shared<Responder>(std::move(end.responders[0]));
    owned->on_cancel([owned](const std::string&) {});
    REQUIRE(end.peer->request("q", nullptr, [owned](const Outcome&) {}));
    owned.reset();
    end.sent.clear();
    end.peer.reset();
    CHECK(end.sent.empty());
  }
  CHECK_FALSE(end.peer.has_value());
}

TEST_CASE("two peers talk to each other", "[rpc][property]") {
  // Random requests both ways, answered or refused in random order, some cancelled: none remains pending.
  unsigned state = 11;
  const auto below = [&state](unsigned n) { return (state = state * 1664525U + 1013904223U) / 65536U % n; };
  End left(Dialect::mcp());
  End right(Dialect::mcp());
  const auto deliver = [](End& from, End& to) {
    for (std::size_t i = 0; i < from.sent.size(); ++i) to.receive(from.sent[i].dump());
    from.sent.clear();
  };
  for (int round = 0; round < 2000; ++round) {
    End& end = below(2) == 0 ? left : right;
    switch (below(4)) {
      case 0:
        end.ask("q");
        break;
      case 1:
        if (!end.responders.empty()) {
          const auto victim =
              end.responders.begin() +
              static_cast<std::ptrdiff_t>(below(static_cast<unsigned>(end.responders.size())));
          if (below(3) != 0) victim->result(round);
          end.responders.erase(victim);
        }
        break;
      case 2:
        end.peer->cancel(Id(1 + below(static_cast<unsigned>(end.outcomes.size() + 1))));
        break;
      default:
        deliver(left, right);
        deliver(right, left);
    }
  }
  left.responders.clear();
  right.responders.clear();
  for (int i = 0; i < 3; ++i) {
    deliver(left, right);
    deliver(right, left);
    left.responders.clear();
    right.responders.clear();
  }
  CHECK(left.peer->pending_count() == 0);
  CHECK(right.peer->pending_count() == 0);
  CHECK(left.peer->in_flight_count() == 0);
  CHECK(right.peer->in_flight_count() == 0);
  CHECK(left.peer->stray_responses().unknown == 0);
}

}  // namespace leanbridge::rpc
