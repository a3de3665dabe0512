#pragma once
/// A session of the legacy era over HTTP: decides which of its streams a message goes to, and what can be
/// resumed.

#include "endpoint.hpp"
#include "event_buffer.hpp"
#include "reply.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::streamable {

class LegacySession : public std::enable_shared_from_this<LegacySession> {
 public:
  LegacySession(std::shared_ptr<Endpoint> endpoint, std::string id, std::string client);
  /// Call this once, before anything else.
  void start();

  const std::string& id() const { return id_; }
  const std::string& client() const { return client_; }
  const std::string& revision() const { return session_->legacy_revision(); }

  /// Handles a POST. `opening`: its answer names the session, which ends if the request is refused.
  void post(std::shared_ptr<http::Exchange> exchange, rpc::Message message, bool opening);
  /// Handles a GET, with the event after which the client continues.
  void get(std::shared_ptr<http::Exchange> exchange, const std::optional<std::string>& last_event);
  void list_changed(mcp::Session::List list) { session_->list_changed(list); }

  /// Ends the streams that wait for messages without a request.
  void drain();
  /// Ends the session: the client ended it, it was idle for too long, or the server ends.
  void end();

  /// Whether a request with this id is running.
  bool owes(const rpc::Id& id) const;
  bool has_connection() const;
  io::Clock::time_point used() const { return used_; }
  /// Forgets streams that were not resumed in time.
  void forget_streams(io::Clock::time_point now);

 private:
  struct Stream {
    explicit Stream(std::uint64_t number) : events(number) {}
    EventBuffer events;
    std::shared_ptr<Reply> reply;  ///< null: there is no connection
    std::uint64_t sent = 0;        ///< the newest event that was passed to a connection
    std::vector<rpc::Id> owed;     ///< requests to be answered on this stream
    bool is_batch = false;
    bool has_events = false;  ///< it was begun as a stream, so that it can be resumed
    bool ended = false;
    io::Clock::time_point last_change = io::Clock::now();
  };

  void send(mcp::Outgoing&& message);
  Stream* stream_for(const mcp::Outgoing& message);
  void begin_events(std::uint64_t number, Stream& stream);
  void attach(std::uint64_t number, std::shared_ptr<http::Exchange> exchange, std::uint64_t after);
  void deliver(Stream& stream);
  void wait_for_answer(std::uint64_t number);
  void never_answered(const rpc::Id& id);
  void bound_streams();

  std::shared_ptr<Endpoint> endpoint_;  // null: the session has ended
  std::string id_, client_;
  std::shared_ptr<mcp::Session> session_;
  std::map<std::uint64_t, Stream> streams_;  // 0: the stream for messages without a request
  std::uint64_t next_stream_ = 1;
  std::optional<rpc::Id> opening_;  // the initialize request that opens the session
  bool refused_ = false;
  io::Clock::time_point used_ = io::Clock::now();
};

/// The requests in a message, which need answers.
std::vector<rpc::Id> requests_in(const rpc::Message& message);
/// The request that the message cancels.
std::optional<rpc::Id> cancelled_in(const rpc::Message& message);

}  // namespace leanbridge::streamable
