#pragma once
/// An HTTP/1.1 server on a TCP port or a Unix socket. It reads requests within limits and writes answers,
/// whole or in parts; the handler decides their meaning. Everything belongs to the loop's thread.

#include "core/base/error.hpp"
#include "core/io/condition.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leanbridge::http {

/// Where to listen.
struct ListenAddress {
  std::string host;         ///< an IP address; empty for a Unix socket
  unsigned short port = 0;  ///< 0: any free port
  std::string path;         ///< of a Unix socket; empty for a port

  bool is_unix() const { return !path.empty(); }
  /// Whether only programs of this machine can connect.
  bool is_local() const;
};

/// Reads `127.0.0.1:8765`, `[::1]:8765`, `localhost:8765` or `unix:PATH`. InvalidArgument for anything else:
/// other names would have to be looked up.
Result<ListenAddress> parse_listen_address(const std::string& text);

struct ServerLimits {
  std::size_t max_connections = 2048;               ///< in all; further ones are closed at once
  std::size_t max_client_connections = 1024;        ///< of one client
  std::size_t max_head = std::size_t{16} << 10;     ///< bytes of the request line and the fields
  std::size_t max_body = std::size_t{8} << 20;      ///< in bytes; a body of unknown length counts as this
  std::size_t max_bodies = std::size_t{128} << 20;  ///< bytes of all bodies, until the handler drops them
  std::size_t max_client_bodies = std::size_t{32} << 20;  ///< bytes of the bodies of one client
  std::size_t max_queued = std::size_t{8} << 20;          ///< bytes of a stream that its reader has not taken
                                                          ///< yet
  io::Clock::duration head_limit = std::chrono::seconds(10);  ///< from the first byte of the head to the last
  io::Clock::duration body_limit = std::chrono::seconds(60);  ///< for reading the body
  io::Clock::duration write_limit = std::chrono::seconds(30);  ///< for the reader to take a part
  io::Clock::duration idle_limit = std::chrono::minutes(5);    ///< between two requests
};

using Fields = std::vector<std::pair<std::string, std::string>>;

struct IncomingRequest {
  std::string method;
  std::string target;
  Fields fields;  ///< names in lower case, in the order of arrival
  std::string body;
  std::shared_ptr<const void> body_share;  ///< a share of the server's budget for bodies; drop it with the
                                           ///< body
  std::string client;                      ///< the peer's IP address; on a Unix socket "pid 123"

  /// The value of the field, or the first one if it is repeated; nullopt if it is absent.
  std::optional<std::string_view> field(std::string_view lower_case_name) const;
  std::size_t count(std::string_view lower_case_name) const;
  /// `target` without its query.
  std::string_view path() const;
  /// The query's parameters, decoded; nullopt if it is malformed, for example if one is repeated.
  std::optional<std::map<std::string, std::string>> query() const;
};

struct OutgoingResponse {
  int status = 200;
  Fields fields;
  std::string body;
  bool close = false;  ///< close the connection afterwards
};

/// Why the framing of a request is ambiguous, so that a proxy in front of us may have read it differently;
/// nullopt if it is not. The parser has refused conflicting lengths before.
std::optional<std::string> framing_problem(const IncomingRequest& head, bool is_http_1_1);

/// One request and its answer. The handler must answer, now or later: with respond(), or with begin(), any
/// number of write(), and end().
class Exchange {
 public:
  Exchange(IncomingRequest request, std::size_t max_queued)
      : request_(std::move(request)), max_queued_(max_queued) {}
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  const IncomingRequest& request() const { return request_; }
  IncomingRequest& request() { return request_; }

  /// Sends the whole answer.
  void respond(OutgoingResponse response);
  /// Sends the head of an answer in parts; its body is ignored.
  void begin(OutgoingResponse head);
  /// Sends a part. False if the client is gone, or so slow that the limit is exceeded, which closes the
  /// connection.
  bool write(std::string part);
  void end();

  bool begun() const { return head_.has_value(); }
  bool ended() const { return ended_; }
  /// Whether the client went away before the end.
  bool closed() const { return closed_; }
  /// Called once when the client goes away before the end. Ends with the exchange.
  std::function<void()> on_closed;

  // Called by the connection.
  void client_gone();
  io::Condition& changed() { return changed_; }
  std::optional<OutgoingResponse>& head() { return head_; }
  bool in_parts() const { return in_parts_; }
  bool has_part() const { return !parts_.empty(); }
  std::string take_part();

 private:
  IncomingRequest request_;
  std::size_t max_queued_;
  std::optional<OutgoingResponse> head_;
  std::deque<std::string> parts_;
  std::size_t queued_ = 0;
  bool in_parts_ = false;
  bool ended_ = false;
  bool closed_ = false;
  io::Condition changed_;
};

/// The outcome of a request, for the access log.
struct AccessRecord {
  const IncomingRequest& request;
  int status = 0;  ///< 0: the client went away before the answer
  std::size_t bytes = 0;
  double ms = 0;
};

struct ServerHandlers {
  /// Called with the head, before the body is read. An answer refuses the request.
  std::function<std::optional<OutgoingResponse>(const IncomingRequest& head)> check;
  std::function<void(std::shared_ptr<Exchange>)> handle;
  /// The client whose budget a body counts against. Empty: the address.
  std::function<std::string(const IncomingRequest& head)> client_of = {};
  std::function<void(const AccessRecord&)> log = {};
};

class Server {
 public:
  /// Internal if it cannot listen there; the message gives the reason.
  static Result<std::shared_ptr<Server>> listen(asio::io_context& context, ListenAddress address,
                                                ServerLimits limits, ServerHandlers handlers);
  virtual ~Server() = default;

  /// `http://127.0.0.1:8765`, or `unix:PATH`.
  virtual std::string url() const = 0;
  /// Accepts no more connections and closes the ones that wait for a request; the others end with their
  /// answers.
  virtual void drain() = 0;
  /// Closes all connections.
  virtual void close() = 0;
  virtual std::size_t connections() const = 0;
  virtual std::uint64_t refused_connections() const = 0;
};

}  // namespace leanbridge::http
