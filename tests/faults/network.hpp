#pragma once
/// The client's way to the bridge over HTTP, in a session up to 2025-11-25: connections that are cut, streams
/// that are resumed, readers that are slow. No bytes of HTTP: exchanges go in, what would be sent comes out.

#include "gateway/streamable/endpoint.hpp"
#include "random.hpp"
#include "trace.hpp"
#include <nlohmann/json.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>

namespace leanbridge::faults {

class Network : public std::enable_shared_from_this<Network> {
 public:
  struct Events {
    /// What the session sends, when it does: whether it is right depends on that moment.
    std::function<void(const std::string& message)> sent;
    /// The answer to this request cannot be had any more, and has been cancelled.
    std::function<void(int id)> lost;
    /// The cancellation of this request has been read, so that no answer may follow.
    std::function<void(int id)> cancelled;
    std::function<void()> ready;  ///< the client is about to use tools
  };

  Network(asio::io_context& context, mcp::ToolRegistry& registry, Random random, Trace& trace, Events events);

  /// Posts a message, once there is a session.
  void send(const nlohmann::json& message);
  std::size_t calls_under_way() const;
  /// From here on no connection is cut, and no reader slow.
  void heal() { cut_ = slow_ = 0; }
  /// Ends the session, and checks that nothing is left of it.
  void end();
  /// Nothing is told any more.
  void close();

 private:
  /// One connection's exchange, and what is known about its stream.
  struct Stream {
    std::shared_ptr<http::Exchange> exchange;
    int request = 0;  ///< that it must answer; 0: none
    std::string text;
    std::string last_event;
  };
  using StreamPtr = std::shared_ptr<Stream>;

  std::shared_ptr<http::Exchange> handle(std::string method, http::Fields fields, std::string body);
  asio::awaitable<void> read(StreamPtr stream);
  void take(Stream& stream);
  void event(Stream& stream, std::string_view text);
  void resume(const StreamPtr& stream);
  void give_up(int request);
  void deliver(const std::string& text);

  asio::io_context& context_;
  Random random_;
  Trace& trace_;
  Events events_;
  int cut_, slow_;  ///< chances in percent
  std::shared_ptr<streamable::Endpoint> endpoint_;
  std::vector<std::weak_ptr<mcp::Session>> sessions_;
  std::string session_id_;
  std::deque<nlohmann::json> unsent_;  ///< until there is a session
  std::set<int> owed_;                 ///< requests whose answers are still wanted
  std::multiset<std::string> sent_;    ///< messages that have not arrived
  std::set<std::string> seen_;         ///< ids of events
};

}  // namespace leanbridge::faults
