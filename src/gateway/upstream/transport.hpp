#pragma once
/// One connection to an MCP server: JSON-RPC messages out and in. Does not interpret them, except where HTTP
/// requires it (headers that mirror a message). All calls and callbacks run on the loop's thread.

#include "config.hpp"
#include "core/base/secret.hpp"
#include "core/io/condition.hpp"
#include "core/rpc/message.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::http {
class Client;
}

namespace leanbridge::upstream {

/// The code of error responses that a transport makes up for requests that never reached the server's
/// JSON-RPC: HTTP statuses and broken streams. `data.http_status` holds the status, or 0. No peer sends this
/// code: it is outside JSON-RPC's reserved range, and the client maps it to another error.
inline constexpr int kTransportError = 1;

/// The reason for the end of a connection.
struct ConnectionEnd {
  enum class Kind {
    Exited,          ///< the process ended, or the stream closed
    Unreachable,     ///< it could not be started or connected
    SessionExpired,  ///< HTTP 404 with a session id: handshake again at once
    Broken,          ///< it does not speak the protocol
  };
  Kind kind = Kind::Exited;
  std::string reason;  ///< one sentence, with the end of stderr if there is any
};

/// An argument of a tool that HTTP requests mirror: the header (`Mcp-Param-...`) and the argument's path.
struct MirroredArgument {
  std::string header;
  std::vector<std::string> path;
};
using MirroredArguments = std::map<std::string, std::vector<MirroredArgument>>;  ///< by tool

/// Callbacks may call any member of the transport and may release it.
class Transport {
 public:
  struct Events {
    /// One message; batches arrive as their elements.
    std::function<void(rpc::Message)> on_message;
    /// A message above the limit was dropped. It may have been the answer to any pending request.
    std::function<void(std::size_t limit_bytes)> on_oversize;
    /// Called at most once, as the last event; not after close().
    std::function<void(ConnectionEnd)> on_closed;
  };

  virtual ~Transport() = default;

  /// Starts the process or prepares to connect. Call once, first. On error nothing was started, and on_closed
  /// is not called.
  virtual Result<void> open(Events events) = 0;

  /// Enqueues one serialised message. Failures lead to on_closed or to an error response with
  /// kTransportError.
  virtual void send(std::string message) = 0;

  /// Closes the connection gracefully: closes stdin, waits `grace` for the process tree and then kills it; or
  /// deletes the HTTP session. Returns when done. on_closed is not called.
  virtual asio::awaitable<void> close(io::Clock::duration grace) = 0;
  /// Ends the connection now.
  virtual void kill() = 0;

  /// Tells that the handshake negotiated `revision`, which is modern or not. HTTP needs it for headers and
  /// for the stream of unsolicited messages.
  virtual void negotiated(const std::string& revision, bool modern) {
    static_cast<void>(revision);
    static_cast<void>(modern);
  }
  virtual void mirror(MirroredArguments arguments) { static_cast<void>(arguments); }

  /// The end of the server's stderr, for messages; empty for remote servers.
  virtual std::string stderr_tail() const { return {}; }
  /// The process that runs the server, or 0 for remote ones.
  virtual int pid() const { return 0; }
  /// A task for the user although the connection works, or "".
  virtual std::string problem() const { return {}; }
};

/// Provides the `Authorization` header of HTTP transports. OAuth implements it (docs/upstream.md); without
/// one, only configured headers are sent.
class Authorization {
 public:
  virtual ~Authorization() = default;
  /// The bearer token for `server`, renewed if it was about to expire; empty if there is none. An error is
  /// final for the request and names the command to run.
  virtual asio::awaitable<Result<Secret>> token(const ServerConfig& server, io::CancelScope scope) = 0;
  struct Refusal {
    int status = 0;                ///< 401, or 403 with a challenge
    std::string www_authenticate;  ///< all headers of this name, joined by ", "
    Secret token;                  ///< the token that was sent; may be empty
    int attempt = 0;               ///< number of the attempt at this request, from 0
  };
  /// True if a new token is available: send the request again. False if the refusal is the server's answer.
  /// An error tells the user what to do.
  virtual asio::awaitable<Result<bool>> challenged(const ServerConfig& server, Refusal refusal,
                                                   io::CancelScope scope) = 0;
  /// A task for the user about this server although it is connected, or "".
  virtual std::string problem(const ServerConfig& server) const {
    static_cast<void>(server);
    return {};
  }
};

/// Creates the transport for a server; `kind` may differ from the configured one, since HTTP falls back to
/// HTTP+SSE. Tests use scripted transports.
using TransportFactory =
    std::function<std::shared_ptr<Transport>(const ServerConfig& server, TransportKind kind)>;

/// A child process that speaks one message per line (stdio_transport.cpp).
std::shared_ptr<Transport> make_stdio_transport(asio::io_context& context, const ServerConfig& server);

/// Streamable HTTP in both eras (http_transport.cpp), and the HTTP+SSE of 2024-11-05 (sse_transport.cpp).
/// `client` must outlive the transport; `authorization` may be null.
std::shared_ptr<Transport> make_http_transport(asio::io_context& context, http::Client& client,
                                               std::shared_ptr<Authorization> authorization,
                                               const ServerConfig& server);
std::shared_ptr<Transport> make_sse_transport(asio::io_context& context, http::Client& client,
                                              std::shared_ptr<Authorization> authorization,
                                              const ServerConfig& server);

/// The factory for all three kinds.
TransportFactory make_transports(asio::io_context& context, http::Client& client,
                                 std::shared_ptr<Authorization> authorization);

/// The environment of a stdio server: HOME, LOGNAME, PATH, SHELL, TERM, USER, language, temporary folder,
/// time zone, and the configured variables.
std::map<std::string, std::string> environment_for(const ServerConfig& server);

}  // namespace leanbridge::upstream
