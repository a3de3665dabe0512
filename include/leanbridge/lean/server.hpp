#pragma once
/// One `lake serve` and the LSP connection to it: start, handshake, requests, death and restart.
/// Knows nothing of documents; what Lean pushes goes to Events.

#include "leanbridge/io/child_process.hpp"
#include "leanbridge/lean/messages.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::lean {

/// Lean's own error codes (Lean.JsonRpc.ErrorCode).
inline constexpr int kRpcNeedsReconnect = -32900;
inline constexpr int kWorkerExited = -32901;
inline constexpr int kWorkerCrashed = -32902;

/// Why a request has no result: the error for the caller, and Lean's code where Lean answered (else 0), by
/// which the document layer decides to ask again.
struct RequestError {
  Error error;
  int code = 0;
};
using Reply = tl::expected<nlohmann::json, RequestError>;

struct ServerOptions {
  std::filesystem::path root;           ///< project folder: the server's working directory
  std::string lake;                     ///< as given by --lake; empty: look it up
  std::vector<std::string> serve_args;  ///< after `lake serve --` and our own arguments
  /// What the client is said to show. Without, plain messages are whole, and those of RPC have no parts.
  bool has_widgets = false;
  io::Clock::duration start_limit = std::chrono::minutes(15);  ///< a first start may download a toolchain
  io::Spawn spawn = io::ChildProcess::spawn;
};

/// All state belongs to the loop's thread. States: Idle -> Starting -> Ready -> Down -> Starting ...; a start
/// begins only when somebody asks (start(), ensure_ready()), never by itself.
class Server : public std::enable_shared_from_this<Server> {
 public:
  enum class State { Idle, Starting, Ready, Down };

  struct Events {
    std::function<void(PublishDiagnostics)> on_diagnostics;
    std::function<void(FileProgress)> on_progress;
    std::function<void(const Error&)> on_down;  ///< everything that was open in it is gone
    std::function<void()> on_starting;          ///< before the process: it has read nothing from disk yet
    std::function<void()> on_ready;             ///< it has read the project's configuration
  };

  Server(asio::io_context& context, ServerOptions options, Events events);
  ~Server();

  /// Begins to start where nothing runs, and returns at once.
  void start();
  /// Waits until requests can be sent. LeanUnavailable, quoting the end of stderr, when it cannot be started,
  /// or has not answered by the deadline (the start goes on then).
  asio::awaitable<Result<void>> ensure_ready(io::CancelScope scope);

  /// Sends a request and waits for its answer. An early end (deadline, cancellation) cancels it at Lean and
  /// returns at once; a server that dies, or is not ready, gives WorkerCrashed.
  asio::awaitable<Reply> request(std::string method, nlohmann::json params, io::CancelScope scope);
  /// Dropped when the server is not ready. `params` must be an object: Lean ends at a message without it.
  void notify(std::string_view method, nlohmann::json params);

  /// Idle at once, so that a start meanwhile makes a new one; then `shutdown`, `exit` and the end of the
  /// whole process tree, each with its limit. What was counted against it is forgotten. on_down is not
  /// called.
  asio::awaitable<void> stop(io::Clock::duration grace);
  /// Ends the process tree now.
  void kill();

  State state() const { return state_; }
  const ServerOptions& options() const { return options_; }
  const std::filesystem::path& root() const { return options_.root; }
  int pid() const;  ///< of the process above `lake`, 0 when none runs
  int starts() const { return starts_; }
  std::size_t pending_requests() const;
  std::uint64_t stray_responses() const;
  const std::string& name() const { return name_; }  ///< serverInfo.name and version, once known
  const std::optional<Error>& last_error() const { return last_error_; }
  std::string stderr_tail() const;

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
  int starts_ = 0;
  int failures_in_a_row_ = 0;
  io::Clock::time_point last_failure_{};
  io::Clock::time_point ready_since_{};
};

struct WorkerProcess {
  std::string uri;
  int pid = 0;
  std::int64_t resident_bytes = 0;  ///< pages shared with others (.olean files) included
};

/// All workers below the process `server`, in no order. Blocking: it reads /proc.
std::vector<WorkerProcess> worker_processes(int server);

}  // namespace leanbridge::lean
