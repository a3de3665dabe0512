#pragma once
/// Correlates requests and responses on one connection, in both directions. Sans-I/O: messages come in
/// through receive(), text goes out through a function. Used for both ends: MCP clients (we answer) and `lake
/// serve` (we ask).

#include "core/base/error.hpp"
#include "message.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace leanbridge::rpc {

/// The differences between LSP and MCP in cancelling requests.
struct Dialect {
  std::string_view cancel_method;     ///< the notification that cancels a request
  std::string_view cancel_id_member;  ///< the member of its params that holds the request's id
  bool has_reason;                    ///< its params may have a `reason`
  bool answers_cancelled;  ///< LSP: a cancelled request still gets an answer; MCP: it must get none

  static constexpr Dialect lsp() {
    return {.cancel_method = "$/cancelRequest",
            .cancel_id_member = "id",
            .has_reason = false,
            .answers_cancelled = true};
  }
  static constexpr Dialect mcp() {
    return {.cancel_method = "notifications/cancelled",
            .cancel_id_member = "requestId",
            .has_reason = true,
            .answers_cancelled = false};
  }
};

/// The connection ended (or was given up) before the answer came.
struct ConnectionLost {
  std::string reason;

  friend bool operator==(const ConnectionLost&, const ConnectionLost&) = default;
};

/// How an outgoing request ends.
using Outcome = std::variant<Success, RpcError, ConnectionLost>;
using Completion = std::function<void(Outcome)>;

namespace detail {
class PeerState;
}

/// The right to answer one incoming request, exactly once. Move-only. If destroyed unanswered it sends an
/// internal error, so the other side never waits forever; answering twice is a programming error (asserted,
/// ignored in release builds). May outlive the Peer; its members then do nothing.
class Responder {
 public:
  Responder(Responder&& other) noexcept;
  Responder& operator=(Responder&& other) noexcept;
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;
  ~Responder();

  const Id& id() const { return id_; }
  /// Whether an answer is still owed: the request was neither answered nor abandoned nor moved from.
  bool open() const { return open_; }

  /// Answers the request. If the dialect does not answer cancelled requests and this one was cancelled, sends
  /// nothing, so callers need not check.
  void result(nlohmann::json value);
  /// Answers with a value that is JSON text already.
  void result_text(const std::string& value);
  void error(RpcError error);
  /// Ends the request without an answer.
  void abandon();

  /// Calls `handler` with the reason, often empty, when the other side cancels the request or fail_incoming()
  /// is called while it is open; immediately if that has already happened. There is one handler: the last one
  /// set. It runs inside receive() and may answer or destroy this Responder.
  void on_cancel(std::function<void(const std::string& reason)> handler);
  bool cancelled() const;

 private:
  friend class detail::PeerState;
  Responder(std::weak_ptr<detail::PeerState> peer, Id id, std::uint64_t serial);
  std::shared_ptr<detail::PeerState> close(bool wants_answer);

  std::weak_ptr<detail::PeerState> peer_;
  Id id_;
  std::uint64_t serial_ = 0;  // distinguishes this request from a later one with the same id
  bool open_ = true;
};

/// One connection. Call it from one thread only. Callbacks run synchronously inside receive(), fail_all() and
/// fail_incoming(), never inside request(), and may call any member or even destroy the Peer.
///
/// | event, outgoing request      | entry   | completion                                     |
/// |------------------------------|---------|------------------------------------------------|
/// | response                     | removed | called with Success or RpcError                |
/// | cancel()                     | removed | destroyed uncalled: the canceller knows        |
/// | fail_all()                   | removed | called with ConnectionLost                     |
/// | ~Peer                        | removed | destroyed uncalled                             |
/// | late, repeated, unknown id   | -       | counted in stray_responses()                   |
class Peer {
 public:
  struct Limits {
    std::size_t outgoing = 10'000;   ///< our own unanswered requests
    std::size_t incoming = 10'000;   ///< the other side's unanswered requests
    std::int64_t first_request = 1;  ///< the id of our first request; at least 1
  };
  struct Handlers {
    std::function<void(Request, Responder)> on_request;  ///< empty: every request gets kMethodNotFound
    std::function<void(Notification)> on_notification;   ///< empty: notifications are ignored
    /// Sends the answer to the request `id`: an error with this code, or a result (0). Empty: answers are
    /// sent by `send`, like everything else.
    std::function<void(const Id& id, int error_code, std::string&& json)> send_answer = {};
  };
  struct StrayResponses {
    std::uint64_t late = 0;     ///< responses to a request that was cancelled, failed or answered already
    std::uint64_t unknown = 0;  ///< responses to an id that was never used, or without an id
  };

  /// `send` takes one serialised message, unframed. It must only enqueue, never call back into the Peer.
  Peer(Dialect dialect, std::function<void(std::string&& json)> send, Handlers handlers);
  Peer(Dialect dialect, std::function<void(std::string&& json)> send, Handlers handlers, Limits limits);
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer();

  /// Sends a request with the next id, from Limits::first_request on; ids are never reused. Null `params`
  /// omits the member. Returns an Internal error and sends nothing if too many requests are pending.
  Result<Id> request(std::string_view method, nlohmann::json params, Completion completion);
  /// Sends the dialect's cancel notification and forgets the request: its completion is not called, and a
  /// late answer is dropped. Returns false and sends nothing if the request is not pending. `reason` is sent
  /// only in dialects that have one.
  bool cancel(const Id& id, std::string_view reason = {});
  void notify(std::string_view method, nlohmann::json params);
  /// Completes all pending requests with ConnectionLost, oldest first. The Peer stays usable, but make a new
  /// one for a restarted server.
  void fail_all(std::string_view reason);
  std::size_t pending_count() const;

  /// Handles one message. A request whose id is already in flight is refused with kInvalidRequest. The
  /// dialect's cancel notification is handled here; unknown, finished or malformed ids in it are ignored. A
  /// Batch is ignored: split it first.
  void receive(Message message);
  /// Call this when the other side is gone or starts over: cancels all incoming requests, oldest first, and
  /// answers none of them, in either dialect.
  void fail_incoming(std::string_view reason);
  std::size_t in_flight_count() const;

  StrayResponses stray_responses() const;

 private:
  std::shared_ptr<detail::PeerState> state_;
};

}  // namespace leanbridge::rpc
