#pragma once
/// The client side of MCP for one server: handshake in either era, requests, the server's tools and prompts,
/// and reconnection, over any transport. Independent of other servers.
///
/// | state      | event                              | next                                           |
/// |------------|------------------------------------|------------------------------------------------|
/// | Idle       | start()                            | Connecting                                     |
/// | Connecting | handshake done, lists read         | Ready                                          |
/// | Connecting | any failure                        | Down, and again after a pause                  |
/// | Ready      | the connection ends                | Down, and again after a pause                  |
/// | Ready      | HTTP session expired               | Connecting at once                             |
/// | Down       | the pause is over, or ensure_ready | Connecting                                     |
/// | Idle       | start(), connecting is not allowed | Disabled, for good                             |
/// | any        | stop(), kill()                     | Stopped                                        |
///
/// The pause is 1 s and doubles with every failure up to 60 s; a connection that lasted 10 s resets it.
/// The handshake begins with `server/discover`. A DiscoverResult or a modern error code means the modern era;
/// any other error, or silence for probe_limit (stdio), means `initialize`. A server that exits on the probe
/// is restarted; that server, and a silent one, get `initialize` first, then and in later connections. If
/// such a server does not know `initialize`, or refuses it and lists the modern revision, then it was slow to
/// start and is probed again.

#include "core/mcp/host.hpp"
#include "core/mcp/lists.hpp"
#include "core/rpc/peer.hpp"
#include "transport.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::upstream {

/// Why a request failed: the error for the caller, and the server's own error, if it answered.
struct RequestError {
  Error error;
  std::optional<rpc::RpcError> answered;
};
using Reply = tl::expected<nlohmann::json, RequestError>;

struct ClientOptions {
  std::string version;   ///< the version of this program, for clientInfo
  bool offline = false;  ///< do not connect to other machines: the state is Disabled, the error NotSupported
  io::Clock::duration probe_limit = std::chrono::milliseconds(2500);
  io::Clock::duration start_limit = std::chrono::seconds(30);  ///< for each request of the handshake
  io::Clock::duration first_pause = std::chrono::seconds(1);
  io::Clock::duration longest_pause = std::chrono::seconds(60);
  io::Clock::duration held = std::chrono::seconds(10);      ///< a connection that lasted longer is not a
                                                            ///< failure
  io::Clock::duration request_cap = std::chrono::hours(1);  ///< limit for a request, whatever its progress
  std::size_t max_items = 2000;  ///< tools, or prompts, of a server; further ones are dropped with a warning
  /// The client behind us, to which legacy servers may send requests; empty or null: none.
  std::function<std::shared_ptr<mcp::Host>()> host = {};
};

/// A server's offer in its own words, after checks and text::cleaned_json().
struct Offer {
  std::vector<nlohmann::json> tools;      ///< `name` is a string, `inputSchema` an object of type object
  std::vector<nlohmann::json> prompts;    ///< `name` is a string, `arguments` a list of named ones or absent
  std::vector<nlohmann::json> resources;  ///< `name` and `uri` are strings
  std::vector<nlohmann::json> templates;  ///< `name` and `uriTemplate` are strings
  std::vector<std::string> problems;      ///< dropped items and the reasons, one sentence each
};

class Client : public std::enable_shared_from_this<Client> {
 public:
  enum class State { Idle, Connecting, Ready, Down, Disabled, Stopped };

  /// Called when a list of offer() may differ; templates are resources.
  using OnChanged = std::function<void(mcp::List)>;
  /// Receives `params` of notifications/progress as the server sent them, without the token.
  using OnProgress = std::function<void(nlohmann::json params)>;

  struct RequestOptions {
    OnProgress on_progress = {};
    /// The kinds of input that a modern server may request by `input_required`.
    nlohmann::json capabilities = nlohmann::json::object();
    /// Return `input_required` like any result, instead of NotSupported.
    bool accepts_input = false;
  };

  Client(asio::io_context& context, ServerConfig config, TransportFactory factory, ClientOptions options,
         OnChanged on_changed);
  ~Client();

  /// Connects in the background and stays connected. May be called again.
  void start();
  /// Starts if necessary and waits until requests can be sent. BackendUnavailable, with the reason, if a
  /// running or new connection attempt fails; NotSupported if Disabled; Timeout and Cancelled by the scope.
  asio::awaitable<Result<void>> ensure_ready(io::CancelScope scope);
  /// Returns once the client is ready, the first attempt has failed, or the scope ends.
  asio::awaitable<void> settled(io::CancelScope scope);

  /// Sends a request after ensure_ready() and waits for its answer until the server's timeout passes without
  /// progress, request_cap is reached, or the scope ends; the last three cancel it at the server. `params` is
  /// an object or null; members that the era requires are added to its `_meta`. BackendError if the server
  /// answers with an error, NotSupported if it asks for input and there is nobody to give it. A request that
  /// HTTP refused for an expired session is sent again. The time in which the client behind us answers a
  /// question of the server does not count.
  asio::awaitable<Reply> request(std::string method, nlohmann::json params, io::CancelScope scope,
                                 RequestOptions options);
  asio::awaitable<Reply> request(std::string method, nlohmann::json params, io::CancelScope scope,
                                 OnProgress on_progress = {});

  /// Calls `changed` whenever the server reports a change of the resource, and after each reconnection, until
  /// the scope ends.
  asio::awaitable<void> watch_resource(std::string uri, io::CancelScope scope, std::function<void()> changed);
  /// Whether the server reports changes of single resources.
  bool reports_changes_of_resources() const;
  /// Tells a legacy server that our client's roots have changed, if it was told that there are roots.
  void roots_changed();

  /// Closes the connection gracefully, without reconnecting.
  asio::awaitable<void> stop(io::Clock::duration grace);
  void kill();

  const ServerConfig& config() const { return config_; }
  State state() const { return state_; }
  const Offer& offer() const { return offer_; }  ///< kept while the server is down
  const nlohmann::json& capabilities() const { return capabilities_; }
  const nlohmann::json& server_info() const {
    return server_info_;
  }                                                          ///< as the server describes itself;
                                                             ///< null until known
  const std::string& revision() const { return revision_; }  ///< empty until negotiated
  bool modern() const { return modern_; }
  const std::optional<Error>& last_error() const { return last_error_; }
  /// For lean_server_health and the command line: name, transport, status (names_of(State)), era, revision,
  /// server, tools, prompts, connects, pending_requests, last_error.
  nlohmann::json health() const;

 private:
  /// One connection, from open() to its end.
  struct Connection {
    std::shared_ptr<Transport> transport;
    std::unique_ptr<rpc::Peer> peer;
    std::optional<ConnectionEnd> ended;

    struct Waiting {
      OnProgress on_progress;
      std::function<void()> extend;
    };
    std::map<std::string, Waiting> progress;  ///< by token
    std::uint64_t next_token = 1;

    bool muted = false;  ///< send nothing, so that a probe can be dropped without a cancellation
    bool refreshing = false;
    mcp::Lists stale;

    nlohmann::json declared = nlohmann::json::object();  ///< legacy: the requests that the server may send to
                                                         ///< our client
    std::size_t asking = 0;  ///< its requests that the client has not answered yet
    std::map<std::uint64_t, std::pair<std::string, std::function<void()>>> watches;  ///< the URI, and the
                                                                                     ///< function to call
    std::uint64_t next_watch = 1;
  };
  using ConnectionPtr = std::shared_ptr<Connection>;

  asio::awaitable<void> keep_connected();
  asio::awaitable<Result<void>> connect();
  Result<ConnectionPtr> open(TransportKind kind);
  void closed(const ConnectionPtr& connection, const ConnectionEnd& given);
  void set_state(State state);
  void failed(Error error);
  bool is_beyond_this_machine() const;
  // --- in protocol.cpp
  asio::awaitable<Result<void>> handshake();
  asio::awaitable<std::optional<Result<void>>> probe(io::Clock::duration limit);
  asio::awaitable<Result<void>> initialize();
  Result<void> accept_modern(const nlohmann::json& result);
  Result<void> accept_legacy(const nlohmann::json& result);
  nlohmann::json modern_meta(const nlohmann::json& capabilities = nlohmann::json::object()) const;
  void answer_server(const ConnectionPtr& connection, rpc::Request request, rpc::Responder responder);
  asio::awaitable<void> ask_client(ConnectionPtr connection, std::shared_ptr<mcp::Host> host,
                                   rpc::Request request, rpc::Responder responder);
  asio::awaitable<void> watch_on(ConnectionPtr connection, const std::string& uri, io::CancelScope scope);
  void on_notification(const ConnectionPtr& connection, const rpc::Notification& notification);
  asio::awaitable<Result<void>> read_lists(mcp::Lists wanted);
  /// The lists that the server says to have.
  mcp::Lists declared(mcp::Lists lists) const;
  void tell_changes(const mcp::Lists& changed);
  asio::awaitable<Result<std::vector<nlohmann::json>>> read_pages(std::string method, std::string member);
  asio::awaitable<void> refresh(ConnectionPtr connection);
  void listen(const ConnectionPtr& connection);
  // --- in client.cpp
  asio::awaitable<Reply> request_on(ConnectionPtr connection, std::string method, nlohmann::json params,
                                    io::Clock::duration quiet_limit, io::CancelScope scope,
                                    RequestOptions options);
  RequestError request_error(const std::string& method, const rpc::RpcError& error) const;

  asio::io_context& context_;
  ServerConfig config_;
  TransportFactory factory_;
  ClientOptions options_;
  OnChanged on_changed_;
  State state_ = State::Idle;
  ConnectionPtr connection_;  // set while Connecting or Ready
  io::Condition changed_;
  std::shared_ptr<io::CancelSource> pause_;  // ends the wait before the next attempt
  std::optional<Error> last_error_;
  Offer offer_;
  nlohmann::json capabilities_ = nlohmann::json::object();
  nlohmann::json server_info_;
  std::string revision_;
  bool modern_ = false;
  bool known_legacy_ = false;  // it exits on the probe, or does not answer it
  TransportKind kind_;         // the configured one, or Sse after HTTP fell back
  int attempts_ = 0;           // finished attempts, for settled() and ensure_ready()
  int connects_ = 0;
  int failures_in_a_row_ = 0;
  io::Clock::time_point ready_since_{};
};

/// The status in health().
wire::Names<Client::State> names_of(Client::State);

}  // namespace leanbridge::upstream
