#include "server.hpp"

#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/io/one_shot.hpp"
#include "core/platform/processes.hpp"
#include "core/rpc/framing.hpp"
#include "core/rpc/peer.hpp"
#include "core/text/file_uri.hpp"
#include "project.hpp"
#include <unistd.h>

#include <algorithm>
#include <thread>

namespace leanbridge::lean {

using nlohmann::json;

namespace {

constexpr auto kExitCodeLimit = std::chrono::milliseconds(500);
// After this many failures in a row, the next start has to wait, so that a broken set-up does not spin.
constexpr int kFailuresBeforeBackOff = 4;
constexpr auto kHealthyAfter = std::chrono::seconds(5);
constexpr auto kBackOff = std::chrono::seconds(10);
// A tactic that cannot be interrupted holds a thread of Lean's pool until it ends, even after an edit has
// made it worthless. With fewer threads than this, one such tactic stops everything else in its file.
constexpr unsigned kMinThreads = 8;
constexpr const char* kShutdown = "shutdown";
constexpr const char* kRunHint =
    "Run `lake build` in the project folder and read its output; `lake --version` tells whether the "
    "toolchain works.";

json initialize_params(const ServerOptions& options) {
  json capabilities = {
      {"textDocument",
       {{"completion", {{"completionItem", {{"insertReplaceSupport", false}}}}},
        {"documentSymbol", {{"hierarchicalDocumentSymbolSupport", true}}}}},
      {"window", {{"showDocument", {{"support", false}}}}},
      {"workspace", {{"applyEdit", false}, {"workspaceEdit", {{"documentChanges", true}}}}},
      {"lean",
       {{"silentDiagnosticSupport", true}, {"incrementalDiagnosticSupport", true}, {"rpcWireFormat", "v1"}}}};
  return {{"processId", ::getpid()},
          {"clientInfo", {{"name", "leanbridge"}}},
          {"rootUri", text::file_uri(options.root)},
          {"initializationOptions", {{"hasWidgets", options.has_widgets}}},
          {"capabilities", std::move(capabilities)}};
}

// The last non-empty line of a text. A progress bar overwrites its line.
std::string last_line_of(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  const std::size_t before = text.find_last_of("\n\r");
  return std::string(before == std::string_view::npos ? text : text.substr(before + 1));
}

std::string quote_stderr(const std::string& tail) {
  return tail.empty() ? " It wrote nothing to stderr." : " Its stderr ends with:\n" + tail;
}

RequestError request_error(const std::string& method, const rpc::RpcError& error) {
  const auto with_code = [&](ErrorKind kind, std::string message, std::string hint = {}) {
    return RequestError{Error(kind, std::move(message), std::move(hint)), error.code};
  };
  switch (error.code) {
    case rpc::kRequestCancelled:
      return with_code(ErrorKind::Cancelled, "Lean cancelled the request.");
    case rpc::kMethodNotFound:
      return with_code(ErrorKind::NotSupported, "This version of Lean does not know " + method + ".",
                       "Update lean-toolchain to a newer Lean.");
    case kWorkerExited:
    case kWorkerCrashed:
      // A trace may follow; its first line gives the reason.
      return with_code(ErrorKind::WorkerCrashed, error.message.substr(0, error.message.find('\n')),
                       "Call again: the file is reopened.");
    default:
      return with_code(ErrorKind::Internal, "Lean refused " + method + ": " + error.message, "Call again.");
  }
}

Reply refused(ErrorKind kind, std::string message, std::string hint) {
  return Reply(tl::unexpect, RequestError{Error(kind, std::move(message), std::move(hint)), 0});
}

/// "NAME VERSION" from the answer to `initialize`, as far as it has them.
std::string name_in(const json& answer) {
  std::string name;
  for (const char* part : {"name", "version"})
    if (const std::string text = text_member(member(answer, "serverInfo"), part); !text.empty())
      name += (name.empty() ? "" : " ") + text;
  return name;
}

std::vector<std::string> token_types_in(const json& answer) {
  static const json::json_pointer kTypes("/capabilities/semanticTokensProvider/legend/tokenTypes");
  std::vector<std::string> types;
  if (!answer.is_object() || !answer.contains(kTypes) || !answer[kTypes].is_array()) return types;
  for (const json& type : answer[kTypes]) types.push_back(type.is_string() ? type.get<std::string>() : "");
  return types;
}

// Requests that Lean sends to editors. They do not concern us, but every request must be answered.
void answer_server_request(rpc::Request request, rpc::Responder responder) {
  if (request.method == "client/registerCapability" || request.method == "client/unregisterCapability" ||
      request.method.ends_with("/refresh"))
    return responder.result(nullptr);
  if (request.method == "workspace/applyEdit") return responder.result({{"applied", false}});
  responder.error({rpc::kMethodNotFound, "leanbridge does not support " + request.method, nullptr});
}

}  // namespace

struct Server::Connection {
  std::shared_ptr<io::ChildProcess> child;
  // Without a manifest, `lake serve` first runs the post-update hooks of packages, which write to the same
  // stdout.
  rpc::HeaderCodec codec{rpc::HeaderCodec::kDefaultMaxBody, rpc::HeaderCodec::Preamble::Skip};
  std::unique_ptr<rpc::Peer> peer;
  int exit_code = -1;
};

Server::Server(asio::io_context& context, ServerOptions options, Events events)
    : context_(context), options_(std::move(options)), events_(std::move(events)) {}

Server::~Server() = default;

void Server::set_state(State state) {
  state_ = state;
  changed_.notify_all();
}

std::optional<Error> Server::in_back_off() const {
  if (failures_in_a_row_ < kFailuresBeforeBackOff || !last_error_) return std::nullopt;
  if (io::Clock::now() - last_failure_ >= kBackOff) return std::nullopt;
  return Error(ErrorKind::LeanUnavailable,
               "Lean's server failed " + std::to_string(failures_in_a_row_) +
                   " times in a row; the next attempt is in a few seconds. " + last_error_->message,
               last_error_->hint);
}

void Server::start() {
  if (state_ == State::Starting || state_ == State::Ready || in_back_off()) return;
  ++starts_;
  configuration_failed_ = false;
  if (events_.on_starting) events_.on_starting();
  auto connection = connect();
  if (!connection) {
    last_error_ = connection.error();
    return set_state(State::Down);
  }
  connection_ = *connection;
  set_state(State::Starting);
  io::spawn(context_, handshake(connection_));
}

Result<std::shared_ptr<Server::Connection>> Server::connect() {
  TRY(auto lake, find_lake(options_.lake));
  io::ChildCommand command;
  // Otherwise Lean delays every report by 200 ms.
  command.argv = {lake.string(), "serve", "--", "-Dserver.reportDelayMs=0"};
  if (std::thread::hardware_concurrency() < kMinThreads)
    command.argv.push_back("-j" + std::to_string(kMinThreads));
  command.argv.insert(command.argv.end(), options_.serve_args.begin(), options_.serve_args.end());
  command.directory = options_.root;
  command.environment = environment_for_lake();
  if (options_.environment) command.environment = *options_.environment;

  auto connection = std::make_shared<Connection>();
  const std::weak_ptr<Server> weak = weak_from_this();
  const std::weak_ptr<Connection> weak_connection = connection;
  io::ChildProcess::Events events;
  events.on_stdout = [weak, weak_connection](std::string_view bytes) {
    const auto self = weak.lock();
    const auto here = weak_connection.lock();
    return self && here && self->receive(here, bytes);
  };
  events.on_stdout_end = [weak, weak_connection] {
    const auto self = weak.lock();
    const auto here = weak_connection.lock();
    if (self && here) io::spawn(self->context_, self->stdout_ended(here));
  };
  events.on_exit = [weak_connection](int code) {
    if (const auto here = weak_connection.lock()) here->exit_code = code;
  };
  auto child = options_.spawn(context_, std::move(command), std::move(events));
  if (!child) return tl::unexpected(child.error());
  connection->child = *child;
  connection->child->input().on_failure = [weak, weak_connection](const std::string& reason) {
    const auto self = weak.lock();
    const auto here = weak_connection.lock();
    if (self && here) self->down(here, "stopped reading its input (" + reason + ")");
  };
  rpc::Peer::Handlers handlers;
  handlers.on_request = answer_server_request;
  handlers.on_notification = [weak, weak_connection](const rpc::Notification& message) {
    const auto self = weak.lock();
    const bool current = self && self->connection_ && self->connection_ == weak_connection.lock();
    if (current) self->on_notification(message.method, message.params);
  };
  const auto send = [child = std::weak_ptr(*child)](std::string&& body) {
    if (const auto here = child.lock()) here->input().send(rpc::HeaderCodec::encode(body));
  };
  connection->peer = std::make_unique<rpc::Peer>(rpc::Dialect::lsp(), send, std::move(handlers));
  log::info("started {} serve in {}", lake.string(), options_.root.string());
  return connection;
}

asio::awaitable<void> Server::handshake(std::shared_ptr<Connection> connection) {
  const auto self = shared_from_this();
  const Reply reply = co_await request_on(connection, "initialize", initialize_params(options_),
                                          io::CancelScope(options_.start_limit));
  if (connection != connection_) co_return;
  if (!reply) {
    down(connection,
         "did not answer the handshake (" + reply.error().error.message + ")" + said_before_the_handshake());
    co_return;
  }
  if (const std::string said = connection->codec.preamble_excerpt(); !said.empty())
    log::info("before it spoke LSP, lake serve printed: {}", said);
  name_ = name_in(*reply);
  token_types_ = token_types_in(*reply);
  // Any message between the answer and this notification would make the server exit.
  connection->peer->notify("initialized", json::object());
  ready_since_ = io::Clock::now();
  set_state(State::Ready);
  if (events_.on_ready) events_.on_ready();
}

bool Server::receive(const std::shared_ptr<Connection>& connection, std::string_view bytes) {
  connection->codec.feed(bytes);
  for (;;) {
    auto body = connection->codec.next();
    if (!body) {
      down(connection, "does not speak LSP: " + body.error().describe());
      return false;
    }
    if (!*body) return true;
    auto message = rpc::parse_message(**body);
    if (!message) {
      down(connection, "sent an invalid message: " + message.error().message);
      return false;
    }
    // Read on even if the connection is no longer current: otherwise the server could neither write its last
    // messages nor exit.
    connection->peer->receive(std::move(*message));
  }
}

void Server::on_notification(const std::string& method, const json& params) {
  if (method == "textDocument/publishDiagnostics") {
    auto message = read_publish_diagnostics(params);
    // A file with errors would look clean if invalid diagnostics were skipped.
    if (!message) return down(std::shared_ptr(connection_), "sent invalid diagnostics");
    events_.on_diagnostics(std::move(*message));
  } else if (method == "$/lean/fileProgress") {
    if (auto message = read_file_progress(params)) events_.on_progress(std::move(*message));
  } else if (method == "window/showMessage" || method == "window/logMessage") {
    log::info("Lean says: {}", rpc::dump(params));
  }
}

asio::awaitable<void> Server::stdout_ended(std::shared_ptr<Connection> connection) {
  const auto self = shared_from_this();
  // The exit code and the rest of stderr follow shortly after the end of stdout.
  const auto child = connection->child;
  co_await io::wait_until(child->changed, io::CancelScope(kExitCodeLimit), [&] { return child->exited(); });
  std::string what = "ended";
  if (connection->exit_code >= 0) what += " with exit code " + std::to_string(connection->exit_code);
  if (const std::string said = connection->codec.unfinished_excerpt(); !said.empty())
    what += " after printing: " + said;
  down(connection, std::move(what));
}

void Server::down(const std::shared_ptr<Connection>& connection, std::string what) {
  if (connection != connection_) return connection->peer->fail_all(what);  // it is being stopped
  const bool was_ready = state_ == State::Ready;
  last_stderr_ = connection->child->stderr_tail();
  const std::string message =
      "`lake serve` in " + options_.root.string() + " " + what + "." + quote_stderr(last_stderr_);
  log::warn("{}", message);
  last_error_ = Error(was_ready ? ErrorKind::WorkerCrashed : ErrorKind::LeanUnavailable, message,
                      was_ready ? "Call again: Lean is restarted." : kRunHint);
  last_failure_ = io::Clock::now();
  const bool worked_for_a_while = was_ready && last_failure_ - ready_since_ > kHealthyAfter;
  failures_in_a_row_ = worked_for_a_while ? 1 : failures_in_a_row_ + 1;
  connection_.reset();
  connection->child->terminate();
  set_state(State::Down);
  connection->peer->fail_all(message);
  if (events_.on_down) events_.on_down(*last_error_);
}

std::string Server::said_before_the_handshake() const {
  const std::string said = connection_ ? connection_->codec.preamble_excerpt() : "";
  return said.empty() ? "" : "; it printed: " + said;
}

asio::awaitable<io::WaitStatus> Server::wait_while_starting(io::CancelScope scope) {
  const auto self = shared_from_this();
  co_return co_await io::wait_until(changed_, scope, [this] { return state_ != State::Starting; });
}

void Server::configuration_failed() {
  if (state_ != State::Ready || std::exchange(configuration_failed_, true)) return;
  configuration_retries_.failed();
}

// The lakefile itself can be opened without a project.
void Server::configuration_loaded() {
  if (!configuration_failed_) configuration_retries_.reset();
}

bool Server::is_to_be_replaced() const {
  return state_ == State::Ready && configuration_failed_ && configuration_retries_.over();
}

void Server::end_for_replacement() {
  const std::string why = "Lake could not load the project for this server, which is replaced by another.";
  log::info("restarting lake serve: {}", why);
  const auto connection = std::exchange(connection_, nullptr);
  connection->child->terminate();
  set_state(State::Idle);
  connection->peer->fail_all(why);
  if (events_.on_down) events_.on_down(Error(ErrorKind::WorkerCrashed, why, "Call again."));
}

asio::awaitable<Result<void>> Server::ensure_ready(io::CancelScope scope) {
  const auto self = shared_from_this();
  if (is_to_be_replaced()) end_for_replacement();
  if (state_ == State::Ready) co_return Result<void>();
  if (auto error = in_back_off()) co_return tl::unexpected(*error);
  start();
  const io::WaitStatus end =
      co_await io::wait_until(changed_, scope, [&] { return state_ != State::Starting; });
  if (end == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (end == io::WaitStatus::TimedOut)
    co_return fail(ErrorKind::LeanUnavailable,
                   "`lake serve` in " + options_.root.string() +
                       " has not answered yet; it may be downloading a toolchain or packages" +
                       said_before_the_handshake() + "." + quote_stderr(stderr_tail()),
                   "Call again with a larger timeout_s, or run `lake build` in the project folder to see "
                   "what it is waiting for.");
  if (state_ == State::Ready) co_return Result<void>();
  if (state_ == State::Idle || !last_error_)
    co_return fail(ErrorKind::LeanUnavailable,
                   "`lake serve` in " + options_.root.string() + " was stopped meanwhile.",
                   "Call again: it is restarted.");
  Error error = *last_error_;
  error.kind = ErrorKind::LeanUnavailable;
  co_return tl::unexpected(error);
}

asio::awaitable<Reply> Server::request(std::string method, json params, io::CancelScope scope) {
  const auto self = shared_from_this();
  // A request before `initialized` would make the server exit.
  if (state_ != State::Ready)
    co_return refused(ErrorKind::WorkerCrashed, "Lean's server is not running.",
                      "Call again: it is restarted.");
  co_return co_await request_on(connection_, std::move(method), std::move(params), std::move(scope));
}

asio::awaitable<Reply> Server::request_on(std::shared_ptr<Connection> connection, std::string method,
                                          json params, io::CancelScope scope) {
  const auto answer = std::make_shared<io::OneShot<rpc::Outcome>>();
  const auto complete = [answer](rpc::Outcome outcome) { answer->set(std::move(outcome)); };
  last_request_ = io::Clock::now();
  const auto id = connection->peer->request(method, std::move(params), complete);
  if (!id) co_return Reply(tl::unexpect, RequestError{id.error(), 0});
  const io::WaitStatus end = co_await answer->wait(scope);
  if (end != io::WaitStatus::Ready) {
    // The caller's wait ends now, whenever Lean handles the cancellation. After `shutdown`, only `exit` may
    // be sent.
    if (method != kShutdown) connection->peer->cancel(*id);
    if (end == io::WaitStatus::Cancelled)
      co_return refused(ErrorKind::Cancelled, "The call was cancelled.", "");
    co_return refused(ErrorKind::Timeout, "Lean did not answer " + method + " within the call's deadline.",
                      "Call again with a larger timeout_s; elaboration continues meanwhile.");
  }
  if (auto* success = std::get_if<rpc::Success>(&answer->value())) co_return std::move(success->result);
  if (auto* error = std::get_if<rpc::RpcError>(&answer->value()))
    co_return Reply(tl::unexpect, request_error(method, *error));
  co_return refused(ErrorKind::WorkerCrashed, std::get<rpc::ConnectionLost>(answer->value()).reason,
                    "Call again: Lean is restarted.");
}

void Server::notify(std::string_view method, json params) {
  if (state_ == State::Ready) connection_->peer->notify(method, std::move(params));
}

asio::awaitable<void> Server::stop(io::Clock::duration grace) {
  const auto self = shared_from_this();
  failures_in_a_row_ = 0;
  configuration_retries_.reset();
  const auto connection = std::exchange(connection_, nullptr);
  if (!connection) co_return;
  const bool was_ready = state_ == State::Ready;
  set_state(State::Idle);
  connection->peer->fail_all("`lake serve` was stopped.");
  if (was_ready) {
    const Reply answer = co_await request_on(connection, kShutdown, json::object(), io::CancelScope(grace));
    if (answer) connection->peer->notify("exit", nullptr);  // Lean does not recognise it with an object
  }
  connection->child->input().close_when_drained();
  const auto child = connection->child;
  const auto exited = [&] { return child->exited(); };
  if (co_await io::wait_until(child->changed, io::CancelScope(grace), exited) == io::WaitStatus::Ready)
    co_return;
  child->terminate();
  co_await io::wait_until(child->changed, io::CancelScope(grace), exited);
}

void Server::kill() {
  if (const auto connection = std::exchange(connection_, nullptr)) {
    connection->child->terminate();
    set_state(State::Idle);
    connection->peer->fail_all("`lake serve` was stopped.");
  }
}

int Server::pid() const {
  return connection_ ? connection_->child->pid() : 0;
}

std::size_t Server::pending_requests() const {
  return connection_ ? connection_->peer->pending_count() : 0;
}

std::uint64_t Server::stray_responses() const {
  if (!connection_) return 0;
  const auto stray = connection_->peer->stray_responses();
  return stray.late + stray.unknown;
}

std::string Server::stderr_tail() const {
  return connection_ ? connection_->child->stderr_tail() : last_stderr_;
}

std::string Server::last_line() const {
  if (!connection_) return {};
  const std::string printed = last_line_of(connection_->codec.preamble_excerpt());
  return printed.empty() ? last_line_of(connection_->child->stderr_tail()) : printed;
}

std::vector<WorkerProcess> worker_processes(int server) {
  std::vector<WorkerProcess> workers;
  if (server <= 0) return workers;
  for (const platform::ProcessInfo& process : platform::descendants(server)) {
    const auto& words = process.arguments;
    if (std::ranges::find(words, "--worker") != words.end())
      workers.push_back(
          {words.back(), process.pid, process.resident_bytes, platform::processor_seconds(process.pid)});
  }
  return workers;
}

int worker_of(int server, const std::string& uri) {
  for (const WorkerProcess& worker : worker_processes(server))
    if (worker.uri == uri) return worker.pid;
  return 0;
}

}  // namespace leanbridge::lean
