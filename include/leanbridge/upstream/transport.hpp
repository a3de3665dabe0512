#pragma once
/// One connection to an MCP server: JSON-RPC messages out and in. Knows nothing of what they mean, except
/// what HTTP makes it know (headers that mirror a message). All calls and all callbacks on the loop's thread.

#include "leanbridge/base/secret.hpp"
#include "leanbridge/io/condition.hpp"
#include "leanbridge/rpc/message.hpp"
#include "leanbridge/upstream/config.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::http {
class Client;
}

namespace leanbridge::upstream {

/// The code of an error response that a transport makes up for a request which never reached the server's
/// JSON-RPC: HTTP statuses and broken streams. `data.http_status` holds the status, 0 where there is none.
/// No peer sends it: it is outside JSON-RPC's reserved range, and the client maps it before anybody sees it.
inline constexpr int kTransportError = 1;

/// For waits that end with their connection, and not at a time.
inline constexpr auto kVeryLong = std::chrono::hours(24 * 365);

/// Why a connection ended.
struct Closed {
  enum class Kind {
    Exited,          ///< the process ended, or the stream closed
    Unreachable,     ///< it could not be started or connected
    SessionExpired,  ///< HTTP 404 with a session id: a new handshake is needed, at once
    Broken,          ///< it does not speak the protocol
  };
  Kind kind = Kind::Exited;
  std::string reason;  ///< one sentence, with the end of stderr where there is one
};

/// Which arguments of a tool an HTTP request mirrors: header (`Mcp-Param-...`) and the argument's path.
struct MirroredArgument {
  std::string header;
  std::vector<std::string> path;
};
using MirroredArguments = std::map<std::string, std::vector<MirroredArgument>>;  ///< by tool

/// Callbacks may call any member of the transport and may let go of it.
class Transport {
 public:
  struct Events {
    /// One message; a batch comes as its elements.
    std::function<void(rpc::Message)> on_message;
    /// A message above the limit was dropped; it may have been the answer to any request under way.
    std::function<void(std::size_t limit_bytes)> on_oversize;
    /// Once, at most; nothing follows. Not after close().
    std::function<void(Closed)> on_closed;
  };

  virtual ~Transport() = default;

  /// Starts the process, or gets ready to connect. Called once, first. An error: nothing was started, and
  /// on_closed is not called.
  virtual Result<void> open(Events events) = 0;

  /// One serialised message. Only enqueues; what cannot be sent ends in on_closed or in an error response
  /// with kTransportError.
  virtual void send(std::string message) = 0;

  /// Ends the connection in order (stdin is closed, the process tree gets `grace` to end and is killed then;
  /// an HTTP session is deleted). Returns when it is over. on_closed is not called.
  virtual asio::awaitable<void> close(io::Clock::duration grace) = 0;
  /// Ends it now.
  virtual void kill() = 0;

  /// The handshake is over: `revision` was negotiated, and it is a modern one or not. For HTTP headers, and
  /// for the stream of what the server sends unasked.
  virtual void negotiated(const std::string& revision, bool modern) {
    static_cast<void>(revision);
    static_cast<void>(modern);
  }
  virtual void mirror(MirroredArguments arguments) { static_cast<void>(arguments); }

  /// What the server wrote to stderr last, for messages; empty for remote ones.
  virtual std::string stderr_tail() const { return {}; }
  /// Of the process above the server, 0 for remote ones.
  virtual int pid() const { return 0; }
  /// What the user has to do although the connection stands; "": nothing.
  virtual std::string problem() const { return {}; }
};

/// Who gives HTTP transports their `Authorization` header. OAuth lives behind it (docs/upstream.md); without
/// one, only configured headers are sent.
class Authorization {
 public:
  virtual ~Authorization() = default;
  /// The bearer token to send to `server`, refreshed if it was about to expire; "" where there is none. An
  /// error is final for the request and names the command to run.
  virtual asio::awaitable<Result<Secret>> token(const ServerConfig& server, io::CancelScope scope) = 0;
  /// How a server refused a request.
  struct Refusal {
    int status = 0;                ///< 401, or 403 with a challenge
    std::string www_authenticate;  ///< all such headers, joined by ", "
    Secret token;                  ///< what was sent; may be empty
    int attempt = 0;               ///< of this request, from 0
  };
  /// True: a new token is there, and the request is sent once more. False: the refusal is the server's
  /// answer. An error says what the user has to do.
  virtual asio::awaitable<Result<bool>> challenged(const ServerConfig& server, Refusal refusal,
                                                   io::CancelScope scope) = 0;
  /// What the user has to do about this server although it is connected; "": nothing.
  virtual std::string problem(const ServerConfig& server) const {
    static_cast<void>(server);
    return {};
  }
};

/// Makes the transport for a server; `kind` may differ from the configured one where HTTP falls back to
/// HTTP+SSE. Tests give scripted ones.
using TransportFactory =
    std::function<std::shared_ptr<Transport>(const ServerConfig& server, TransportKind kind)>;

/// A child process that speaks one message per line (stdio_transport.cpp).
std::shared_ptr<Transport> make_stdio_transport(asio::io_context& context, const ServerConfig& server);

/// Streamable HTTP in both eras (http_transport.cpp), and the HTTP+SSE of 2024-11-05 (sse_transport.cpp).
/// `client` outlives the transport; `authorization` may be null.
std::shared_ptr<Transport> make_http_transport(asio::io_context& context, http::Client& client,
                                               std::shared_ptr<Authorization> authorization,
                                               const ServerConfig& server);
std::shared_ptr<Transport> make_sse_transport(asio::io_context& context, http::Client& client,
                                              std::shared_ptr<Authorization> authorization,
                                              const ServerConfig& server);

/// The factory for all three.
TransportFactory make_transports(asio::io_context& context, http::Client& client,
                                 std::shared_ptr<Authorization> authorization);

/// The environment of a stdio server: HOME, LOGNAME, PATH, SHELL, TERM, USER, the language and temporary
/// folder, and what is configured.
std::map<std::string, std::string> environment_for(const ServerConfig& server);

}  // namespace leanbridge::upstream
