#pragma once
/// What the tests of rpc::Peer share.

#include "core/rpc/peer.hpp"
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::rpc::test {

using nlohmann::json;

/// One end of a connection: what it sent, what it was asked, and how its own requests ended.
struct End {
  explicit End(Dialect dialect, Peer::Limits limits = {}) {
    Peer::Handlers handlers;
    handlers.on_request = [this](Request request, Responder responder) {
      requests.push_back(std::move(request));
      responders.push_back(std::move(responder));
    };
    handlers.on_notification = [this](Notification notification) {
      notifications.push_back(notification.method);
    };
    peer.emplace(
        dialect, [this](std::string&& text) { sent.push_back(json::parse(text)); }, std::move(handlers),
        limits);
  }

  void receive(std::string_view text) {
    auto message = parse_message(text);
    REQUIRE(message.has_value());
    peer->receive(std::move(*message));
  }

  Id ask(std::string_view method) {
    const std::size_t slot = outcomes.size();
    outcomes.emplace_back();
    auto id = peer->request(method, json::object(), [this, slot](Outcome outcome) {
      CHECK_FALSE(outcomes[slot].has_value());  // at most once
      outcomes[slot] = std::move(outcome);
    });
    REQUIRE(id.has_value());
    return *id;
  }

  std::vector<json> sent;
  std::vector<Request> requests;
  std::deque<Responder> responders;
  std::vector<std::string> notifications;
  std::deque<std::optional<Outcome>> outcomes;
  std::optional<Peer> peer;  // last, so that it is destroyed first
};

inline constexpr std::string_view kQuestion = R"({"jsonrpc":"2.0","id":1,"method":"q","params":{}})";

}  // namespace leanbridge::rpc::test
