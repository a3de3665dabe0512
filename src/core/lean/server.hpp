#pragma once
/// One `lake serve` and the LSP connection to it: start, handshake, requests, death and restart. Knows
/// nothing about documents; Lean's notifications go to Events.

#include "core/base/json_struct.hpp"
#include "core/io/back_off.hpp"
#include "core/io/child_process.hpp"
#include "messages.hpp"
#include "project.hpp"
#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::lean {

/// Lean's own error codes (Lean.JsonRpc.ErrorCode).
inline constexpr int kRpcNeedsReconnect = -32900;
inline constexpr int kWorkerExited = -32901;
inline constexpr int kWorkerCrashed = -32902;

/// Why a request has no result: the error for the caller, and Lean's error code if Lean answered (otherwise
/// 0). By the code, the document layer decides whether to ask again.
struct RequestError {
  Error error;
  int code = 0;
};
using Reply = tl::expected<nlohmann::json, RequestError>;

struct ServerOptions {
  std::filesystem::path root;            ///< the project folder, and the server's working directory
  std::string lake;                      ///< as given by --lake; empty: look it up on PATH
  std::vector<std::string> serve_args;   ///< arguments after `lake serve --` and our own
  std::optional<Variables> environment;  ///< the environment of `lake` and its children; nullopt:
                                         ///< environment_for_lake()
  /// Announces a client that shows widgets. If false, plain messages are complete, and messages by RPC lack
  /// parts.
  bool has_widgets = false;
  io::Clock::duration start_limit = std::chrono::minutes(15);  ///< a first start may download a toolchain
  io::Spawn spawn = io::ChildProcess::spawn;
};

/// All state belongs to the loop's thread. States: Idle -> Starting -> Ready -> Down -> Starting ...; a start
/// begins only when asked for (start(), ensure_ready()), never by itself.
///
/// If Lake cannot load the project (no network, a lock, an error in the lakefile), it starts a plain Lean
/// that elaborates no file of it. A caller that sees this calls configuration_failed(), and the next
/// ensure_ready() starts another server in its place, after growing pauses.
class Server : public std::enable_shared_from_this<Server> {
 public:
  enum class State { Idle, Starting, Ready, Down };

  struct Events {
    std::function<void(PublishDiagnostics)> on_diagnostics;
    std::function<void(FileProgress)> on_progress;
    std::function<void(const Error&)> on_down;  ///< all open documents are lost
    std::function<void()> on_starting;          ///< called before the process starts, so it has read nothing
                                                ///< yet
    std::function<void()> on_ready;             ///< the server has read the project's configuration
  };

  Server(asio::io_context& context, ServerOptions options, Events events);
  ~Server();

  /// Starts the server if it does not run. Returns at once.
  void start();
  /// Starts the server if necessary and waits until it accepts requests. LeanUnavailable, quoting the end of
  /// stderr, if it cannot be started or has not answered by the deadline (the start then continues).
  asio::awaitable<Result<void>> ensure_ready(io::CancelScope scope);
  /// Waits until no start is under way.
  asio::awaitable<io::WaitStatus> wait_while_starting(io::CancelScope scope);

  /// Call this when a file shows that Lake could not load the project for this server; or, for
  /// configuration_loaded(), that it could.
  void configuration_failed();
  void configuration_loaded();
  /// Call this when Lake has loaded the project elsewhere: the next attempt need not wait.
  void configuration_may_load() { configuration_retries_.reset(); }
  /// Whether the next ensure_ready() starts another server for that reason.
  bool is_to_be_replaced() const;
  /// The time until then; zero: the next call may.
  io::Clock::duration until_replaced() const { return configuration_retries_.left(); }

  /// Sends a request and waits for its answer. If the scope ends first, the request is cancelled at Lean and
  /// this returns at once. WorkerCrashed if the server dies or is not ready.
  asio::awaitable<Reply> request(std::string method, nlohmann::json params, io::CancelScope scope);
  /// Dropped if the server is not ready. `params` must be an object: Lean exits on a message without one.
  void notify(std::string_view method, nlohmann::json params);

  /// Becomes Idle at once, so that a start() meanwhile makes a new server. Then sends `shutdown` and `exit`
  /// and ends the whole process tree, each step within `grace`. Forgets past failures. Does not call on_down.
  asio::awaitable<void> stop(io::Clock::duration grace);
  /// Ends the process tree at once.
  void kill();

  State state() const { return state_; }
  const ServerOptions& options() const { return options_; }
  const std::filesystem::path& root() const { return options_.root; }
  int pid() const;  ///< the process of the supervisor above `lake`; 0 if none runs
  int starts() const { return starts_; }
  std::size_t pending_requests() const;
  io::Clock::time_point last_request() const { return last_request_; }  ///< when it was sent
  std::uint64_t stray_responses() const;
  const std::string& name() const { return name_; }  ///< serverInfo.name and version, once known
  /// The kinds of words that semantic tokens distinguish, once known; may be empty.
  const std::vector<std::string>& token_types() const { return token_types_; }
  const std::optional<Error>& last_error() const { return last_error_; }
  std::string stderr_tail() const;
  /// The last line that Lake has printed during the start; may be empty.
  std::string last_line() const;

 private:
  struct Connection;

  Result<std::shared_ptr<Connection>> connect();
  asio::awaitable<void> handshake(std::shared_ptr<Connection> connection);
  asio::awaitable<Reply> request_on(std::shared_ptr<Connection> connection, std::string method,
                                    nlohmann::json params, io::CancelScope scope);
  bool receive(const std::shared_ptr<Connection>& connection, std::string_view bytes);
  asio::awaitable<void> stdout_ended(std::shared_ptr<Connection> connection);
  void on_notification(const std::string& method, const nlohmann::json& params);
  void down(const std::shared_ptr<Connection>& connection, std::string what);
  void end_for_replacement();
  std::string said_before_the_handshake() const;
  void set_state(State state);
  std::optional<Error> in_back_off() const;

  asio::io_context& context_;
  ServerOptions options_;
  Events events_;
  State state_ = State::Idle;
  std::shared_ptr<Connection> connection_;  // set while Starting or Ready
  io::Condition changed_;
  std::optional<Error> last_error_;
  std::string last_stderr_;
  std::string name_;
  std::vector<std::string> token_types_;
  int starts_ = 0;
  int failures_in_a_row_ = 0;
  io::Clock::time_point last_failure_{};
  io::Clock::time_point ready_since_{};
  io::Clock::time_point last_request_{};
  bool configuration_failed_ = false;  // of the running server
  io::BackOff configuration_retries_{std::chrono::seconds(2), std::chrono::minutes(1)};
};

inline wire::Names<Server::State> names_of(Server::State) {
  return {{Server::State::Idle, "idle"},
          {Server::State::Starting, "starting"},
          {Server::State::Ready, "ready"},
          {Server::State::Down, "down"}};
}

/// A worker process: Lean starts one per open document, as `lean --worker ... URI`.
struct WorkerProcess {
  std::string uri;
  int pid = 0;
  std::int64_t resident_bytes = 0;  ///< including shared pages, such as those of .olean files
  double processor_seconds = 0;     ///< processor time so far, as in platform::processor_seconds()

  /// In a report about one document.
  static wire::Fields fields() {
    return {wire::field<&WorkerProcess::pid>(),
            wire::named_field<&WorkerProcess::resident_bytes>("memory_bytes")};
  }
};

/// All workers below the process `server`, in no particular order. Blocking.
std::vector<WorkerProcess> worker_processes(int server);

/// The worker of a document; 0 if there is none. Blocking.
int worker_of(int server, const std::string& uri);

}  // namespace leanbridge::lean
