#pragma once
/// MCP's streamable HTTP transport, server side, in both eras: turns exchanges at /mcp into messages of
/// sessions, and messages from sessions into JSON or events.
///
/// | request                                | answered by                                                   |
/// |----------------------------------------|---------------------------------------------------------------|
/// | POST of a modern request               | a session of its own; closing the connection cancels it       |
/// | POST of `initialize`                   | a new session, named in Mcp-Session-Id                        |
/// | POST with Mcp-Session-Id               | that session; a closed connection cancels nothing             |
/// | GET with Mcp-Session-Id                | events that belong to no request                              |
/// | the same with Last-Event-ID            | the rest of the stream that the event is of                   |
/// | DELETE with Mcp-Session-Id             | ends the session                                              |

#include "core/io/pool.hpp"
#include "core/mcp/session.hpp"
#include "http/server.hpp"
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace leanbridge::streamable {

struct EndpointLimits {
  std::size_t max_sessions = 1024;
  std::size_t max_client_sessions = 512;  ///< a further session ends an idle session of the same client
  /// A session that was used more recently than this does not give way.
  io::Clock::duration session_grace = std::chrono::seconds(10);
  std::size_t max_calls = 512;                                  ///< unanswered requests, in all
  std::size_t max_client_calls = 128;                           ///< unanswered requests of one client
  io::Clock::duration session_idle = std::chrono::minutes(30);  ///< a session without a connection ends after
                                                                ///< this time
  /// How long a legacy stream is kept, to be resumed.
  io::Clock::duration stream_kept = std::chrono::minutes(2);
  /// An answer that takes longer becomes a stream of events.
  io::Clock::duration patience = std::chrono::seconds(1);
  io::Clock::duration heartbeat = std::chrono::seconds(15);  ///< between comments, which keep streams open
};

struct EndpointHooks {
  /// Makes a session that sends through this function.
  std::function<std::shared_ptr<mcp::Session>(std::function<void(mcp::Outgoing&&)> send)> make_session;
  /// The inputSchema of a tool, to find arguments that are mirrored in headers; null if it has none. May be
  /// empty.
  std::function<nlohmann::json(const std::string& tool, const nlohmann::json& arguments)> input_schema = {};
  /// The client whose quotas a request counts against. Empty: its address.
  std::function<std::string(const http::IncomingRequest&)> client_of = {};
};

struct EndpointCounts {
  std::size_t sessions = 0;
  std::size_t calls = 0;    ///< unanswered requests
  std::size_t streams = 0;  ///< open streams of events
  std::uint64_t refused_calls = 0;
  std::uint64_t resumed_streams = 0;
};

class LegacySession;
class ModernCall;
using ParsedMessage = tl::expected<rpc::Message, rpc::InvalidMessage>;

/// Belongs to the loop's thread.
class Endpoint : public std::enable_shared_from_this<Endpoint> {
 public:
  Endpoint(asio::io_context& context, EndpointLimits limits, EndpointHooks hooks);
  ~Endpoint();

  /// Answers one exchange, now or later. Its head has passed refuse().
  void handle(std::shared_ptr<http::Exchange> exchange);
  /// Tells all sessions that a provider's list has changed.
  void list_changed(mcp::Session::List list);
  /// Ends all streams that wait for events, so that connections can end. Running calls are finished; new
  /// requests are refused with 503.
  void drain();
  /// Cancels all calls and ends all sessions.
  void close();

  EndpointCounts counts() const;

  // The following functions are for the parts.
  asio::io_context& context() { return context_; }
  const EndpointLimits& limits() const { return limits_; }
  const EndpointHooks& hooks() const { return hooks_; }
  /// Keeps the exchange open by sending comments as long as it lasts.
  void keep_open(const std::shared_ptr<http::Exchange>& exchange);
  void call_ended(const std::string& client);
  void modern_ended(const std::shared_ptr<ModernCall>& call);
  void legacy_ended(const std::string& id);
  void count_resumed() { ++resumed_streams_; }

 private:
  void post(std::shared_ptr<http::Exchange> exchange);
  /// Call it before parsing a large message. Returns false if the head shows that the message is refused,
  /// after answering it.
  bool may_parse(http::Exchange& exchange);
  static asio::awaitable<void> parse_large(std::shared_ptr<Endpoint> self,
                                           std::shared_ptr<http::Exchange> exchange);
  void take(std::shared_ptr<http::Exchange> exchange, ParsedMessage message);
  void post_legacy(std::shared_ptr<http::Exchange> exchange, rpc::Message message);
  void post_modern(std::shared_ptr<http::Exchange> exchange, rpc::Request request);
  std::shared_ptr<LegacySession> find(http::Exchange& exchange);
  std::shared_ptr<LegacySession> create(http::Exchange& exchange);
  bool make_room(const std::string& client);
  /// Returns false if the client has too many calls, after answering the exchange.
  bool take_calls(http::Exchange& exchange, std::size_t count);
  std::string client_of(const http::Exchange& exchange) const;
  void tick();

  asio::io_context& context_;
  io::Pool parsing_{1};  // parses large messages one at a time: each takes time and many times its size in
                         // memory
  EndpointLimits limits_;
  EndpointHooks hooks_;
  std::map<std::string, std::shared_ptr<LegacySession>> legacy_;  // by id
  std::set<std::shared_ptr<ModernCall>> modern_;
  std::map<std::string, std::size_t> calls_;  // by client
  std::size_t all_calls_ = 0;
  std::vector<std::weak_ptr<http::Exchange>> open_;  // streams
  io::Timer heartbeat_;
  bool draining_ = false;
  std::uint64_t refused_calls_ = 0;
  std::uint64_t resumed_streams_ = 0;
};

}  // namespace leanbridge::streamable
