#include "gateway/upstream/client.hpp"

#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/io/one_shot.hpp"
#include "core/mcp/revision.hpp"
#include "gateway/upstream/transport/incoming.hpp"
#include "http/client.hpp"

#include <algorithm>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

// After at most this many failures in a row, a call reconnects at once; after more, it gets the reason at
// once.
constexpr int kPatientFailures = 3;

}  // namespace

wire::Names<Client::State> names_of(Client::State) {
  return {{Client::State::Idle, "not_started"},  {Client::State::Connecting, "connecting"},
          {Client::State::Ready, "ok"},          {Client::State::Down, "down"},
          {Client::State::Disabled, "disabled"}, {Client::State::Stopped, "stopped"}};
}

Client::Client(asio::io_context& context, ServerConfig config, TransportFactory factory,
               ClientOptions options, OnChanged on_changed)
    : context_(context),
      config_(std::move(config)),
      factory_(std::move(factory)),
      options_(std::move(options)),
      on_changed_(std::move(on_changed)),
      pause_(std::make_shared<io::CancelSource>()),
      kind_(config_.transport) {}

Client::~Client() = default;

void Client::set_state(State state) {
  state_ = state;
  changed_.notify_all();
}

bool Client::is_beyond_this_machine() const {
  if (config_.transport == TransportKind::Stdio) return false;
  const auto origin = http::origin_of(config_.url);
  return !origin || !origin->loopback();
}

void Client::start() {
  if (state_ != State::Idle) return;
  if (options_.offline && is_beyond_this_machine()) {
    last_error_ = Error(
        ErrorKind::NotSupported,
        "The server " + config_.name + " is on another machine, and --offline forbids connecting to it.",
        "Start leanbridge without --offline to use this server.");
    log::info("upstream {}: {}", config_.name, last_error_->message);
    return set_state(State::Disabled);
  }
  set_state(State::Connecting);
  io::spawn(context_, keep_connected());
}

// --- the life of connections

asio::awaitable<void> Client::keep_connected() {
  const auto self = shared_from_this();
  auto pause = options_.first_pause;
  while (state_ != State::Stopped) {
    set_state(State::Connecting);
    const Result<void> connected = co_await connect();
    if (state_ == State::Stopped) co_return;
    bool at_once = false;
    ++attempts_;
    if (connected) {
      ++connects_;
      ready_since_ = io::Clock::now();
      const auto connection = connection_;
      set_state(State::Ready);
      tell_changes(mcp::all_lists());
      co_await io::wait_until(changed_, io::CancelScope(io::kNoDeadline),
                              [this] { return state_ != State::Ready; });
      if (state_ == State::Stopped) co_return;
      at_once = connection->ended && connection->ended->kind == ConnectionEnd::Kind::SessionExpired;
      if (io::Clock::now() - ready_since_ >= options_.held) failures_in_a_row_ = 0;
    } else {
      failed(connected.error());
    }
    if (failures_in_a_row_ == 0) pause = options_.first_pause;
    if (at_once) continue;
    ++failures_in_a_row_;
    pause_ = std::make_shared<io::CancelSource>();
    co_await io::sleep_for(pause, io::CancelScope(io::kNoDeadline, pause_));
    pause = std::min(2 * pause, options_.longest_pause);
  }
}

asio::awaitable<Result<void>> Client::connect() {
  kind_ = config_.transport;
  CO_TRY(connection_, open(kind_));
  Result<void> done = co_await handshake();
  if (done && state_ == State::Connecting) done = co_await read_lists(declared(mcp::all_lists()));
  // Meanwhile the connection may have ended, or this client may have been stopped.
  if (connection_ && connection_->ended)
    done = fail(ErrorKind::BackendUnavailable, connection_->ended->reason);
  if (done && connection_) {
    listen(connection_);
    co_return done;
  }
  if (const auto connection = std::exchange(connection_, nullptr)) {
    connection->peer->fail_all("The connection was abandoned.");
    connection->transport->kill();
  }
  if (done) co_return fail(ErrorKind::BackendUnavailable, "The server " + config_.name + " was stopped.");
  co_return done;
}

Result<Client::ConnectionPtr> Client::open(TransportKind kind) {
  auto connection = std::make_shared<Connection>();
  const std::weak_ptr<Client> weak = weak_from_this();
  const std::weak_ptr<Connection> weak_connection = connection;
  connection->transport = factory_(config_, kind);
  if (!connection->transport)
    return fail(ErrorKind::NotSupported,
                std::string("The transport ") + wire::name_of(kind) + " is not available here.");

  rpc::Peer::Handlers handlers;
  handlers.on_request = [weak, weak_connection](rpc::Request request, rpc::Responder responder) {
    const auto self = weak.lock();
    const auto here = weak_connection.lock();
    if (self && here) self->answer_server(here, std::move(request), std::move(responder));
  };
  handlers.on_notification = [weak, weak_connection](const rpc::Notification& notification) {
    const auto self = weak.lock();
    const auto here = weak_connection.lock();
    if (self && here) self->on_notification(here, notification);
  };
  const auto send = [weak_connection](std::string&& text) {
    const auto here = weak_connection.lock();
    if (here && !here->muted && !here->ended) here->transport->send(std::move(text));
  };
  connection->peer = std::make_unique<rpc::Peer>(rpc::Dialect::mcp(), send, std::move(handlers));

  Transport::Events events;
  events.on_message = [weak_connection](rpc::Message message) {
    if (const auto here = weak_connection.lock()) here->peer->receive(std::move(message));
  };
  events.on_oversize = [weak_connection](std::size_t limit) {
    // It is unknown which request the message answered, so fail all rather than let one wait for its timeout.
    if (const auto here = weak_connection.lock())
      here->peer->fail_all("The server sent a message of more than " + std::to_string(limit >> 20U) +
                           " MiB, which was dropped; it may have been this answer.");
  };
  events.on_closed = [weak, weak_connection](const ConnectionEnd& why) {
    const auto self = weak.lock();
    const auto here = weak_connection.lock();
    if (self && here) self->closed(here, why);
  };
  TRY_DONE(connection->transport->open(std::move(events)));
  return connection;
}

void Client::closed(const ConnectionPtr& connection, const ConnectionEnd& given) {
  const ConnectionEnd why{given.kind, printable(config_, given.reason)};
  connection->ended = why;
  if (connection == connection_ && state_ == State::Ready) {
    connection_.reset();
    if (why.kind != ConnectionEnd::Kind::SessionExpired)
      failed(Error(ErrorKind::BackendUnavailable, why.reason));
    set_state(State::Down);
  }
  connection->peer->fail_incoming(why.reason);
  connection->peer->fail_all(why.reason);
}

void Client::failed(Error error) {
  error.message = printable(config_, error.message);
  error.hint = printable(config_, error.hint);
  log::warn("upstream {}: {}", config_.name, error.message);
  last_error_ = std::move(error);
  if (state_ != State::Stopped) set_state(State::Down);
}

// --- for callers

asio::awaitable<Result<void>> Client::ensure_ready(io::CancelScope scope) {
  const auto self = shared_from_this();
  if (state_ == State::Ready) co_return Result<void>();
  start();
  if (state_ == State::Disabled) co_return tl::unexpected(*last_error_);
  if (state_ == State::Down && failures_in_a_row_ > kPatientFailures && last_error_)
    co_return fail(ErrorKind::BackendUnavailable,
                   last_error_->message + " This is failure " + std::to_string(failures_in_a_row_) +
                       " in a row; the next attempt follows within a minute.",
                   last_error_->hint);
  const int before = attempts_;
  pause_->cancel();
  const auto end = co_await io::wait_until(changed_, scope, [&] {
    return state_ == State::Ready || state_ == State::Stopped ||
           (state_ == State::Down && attempts_ > before);
  });
  if (state_ == State::Ready) co_return Result<void>();
  if (end == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (end == io::WaitStatus::TimedOut)
    co_return fail(ErrorKind::Timeout, "The server " + config_.name + " is not connected yet.",
                   "Call again; see lean_server_health for its status.");
  if (state_ == State::Stopped || !last_error_)
    co_return fail(ErrorKind::BackendUnavailable, "The server " + config_.name + " is not connected.");
  co_return fail(ErrorKind::BackendUnavailable, last_error_->message,
                 last_error_->hint.empty() ? "Call again to reconnect." : last_error_->hint);
}

asio::awaitable<void> Client::settled(io::CancelScope scope) {
  const auto self = shared_from_this();
  co_await io::wait_until(changed_, scope, [this] {
    return attempts_ > 0 || state_ == State::Stopped || state_ == State::Idle || state_ == State::Disabled;
  });
}

asio::awaitable<void> Client::stop(io::Clock::duration grace) {
  const auto self = shared_from_this();
  const auto connection = std::exchange(connection_, nullptr);
  set_state(State::Stopped);
  pause_->cancel();
  if (!connection) co_return;
  connection->peer->fail_incoming("the connection is being closed");
  connection->peer->fail_all("The connection to " + config_.name + " is being closed.");
  co_await connection->transport->close(grace);
}

void Client::kill() {
  const auto connection = std::exchange(connection_, nullptr);
  set_state(State::Stopped);
  pause_->cancel();
  if (!connection) return;
  connection->transport->kill();
  connection->peer->fail_incoming("the connection is closed");
  connection->peer->fail_all("The connection to " + config_.name + " is closed.");
}

json Client::health() const {
  json health = {{"name", config_.name},
                 {"transport", wire::name_of(kind_)},
                 {"status", wire::name_of(state_)},
                 {"tools", offer_.tools.size()},
                 {"prompts", offer_.prompts.size()},
                 {"resources", offer_.resources.size() + offer_.templates.size()},
                 {"connects", connects_},
                 {"pending_requests", connection_ ? connection_->peer->pending_count() : 0},
                 {"last_error", last_error_ ? json(last_error_->message) : json(nullptr)}};
  if (!revision_.empty()) {
    health["revision"] = revision_;
    health["era"] = modern_ ? "modern" : "legacy";
  }
  if (server_info_.is_object()) health["server"] = server_info_;
  std::vector<std::string> problems = offer_.problems;
  if (connection_)
    if (std::string problem = connection_->transport->problem(); !problem.empty())
      problems.push_back(std::move(problem));
  if (!problems.empty()) health["problems"] = std::move(problems);
  if (connection_ && connection_->transport->pid() > 0) health["pid"] = connection_->transport->pid();
  return health;
}

// --- one request, from its parameters to its answer.

namespace {

constexpr std::size_t kMaxMessageShown = 2000;

struct PendingAnswer {
  io::OneShot<rpc::Outcome> outcome;
  io::Clock::time_point quiet_deadline;
};

Reply refused(ErrorKind kind, std::string message, std::string hint = {}) {
  return Reply(tl::unexpect, RequestError{Error(kind, std::move(message), std::move(hint)), std::nullopt});
}

// Removes the token when the request ends, however it ends.
template <class Map>
struct Registered {
  Map& map;
  std::string token;
  ~Registered() { map.erase(token); }
};

bool is_expired_session(const Reply& reply) {
  if (reply || !reply.error().answered) return false;
  const rpc::RpcError& error = *reply.error().answered;
  return error.code == kTransportError && error.data.is_object() &&
         error.data.value("session_expired", false);
}

}  // namespace

asio::awaitable<Reply> Client::request(std::string method, json params, io::CancelScope scope,
                                       OnProgress on_progress) {
  RequestOptions options;
  options.on_progress = std::move(on_progress);
  return request(std::move(method), std::move(params), std::move(scope), std::move(options));
}

asio::awaitable<Reply> Client::request(std::string method, json params, io::CancelScope scope,
                                       RequestOptions options) {
  const auto self = shared_from_this();
  for (int attempt = 0;; ++attempt) {
    const Result<void> ready = co_await ensure_ready(scope);
    if (!ready) co_return Reply(tl::unexpect, RequestError{ready.error(), std::nullopt});
    Reply reply = co_await request_on(connection_, method, params, config_.timeout,
                                      scope.with_timeout(options_.request_cap), options);
    if (attempt > 0 || !is_expired_session(reply)) co_return reply;
  }
}

asio::awaitable<Reply> Client::request_on(ConnectionPtr connection, std::string method, json params,
                                          io::Clock::duration quiet_limit, io::CancelScope scope,
                                          RequestOptions options) {
  const auto self = shared_from_this();
  if (!params.is_object()) params = json::object();
  const bool probe = method == "server/discover";
  if (modern_ && !probe && method != "initialize") {
    const json meta = modern_meta(options.capabilities);
    params["_meta"].update(meta);
  }
  auto answer = std::make_shared<PendingAnswer>();
  const auto extend = [answer, quiet_limit] { answer->quiet_deadline = io::Clock::now() + quiet_limit; };
  extend();
  const std::string token = "p" + std::to_string(connection->next_token++);
  const Registered<decltype(connection->progress)> registered{connection->progress, token};
  if (options.on_progress) {
    params["_meta"]["progressToken"] = token;
    connection->progress[token] = {std::move(options.on_progress), extend};
  }
  const auto complete = [answer](rpc::Outcome outcome) { answer->outcome.set(std::move(outcome)); };
  const auto id = connection->peer->request(method, std::move(params), complete);
  if (!id) co_return Reply(tl::unexpect, RequestError{id.error(), std::nullopt});

  io::WaitStatus end = io::WaitStatus::TimedOut;
  do {
    const io::CancelScope quiet = scope.with_timeout(answer->quiet_deadline - io::Clock::now());
    end = co_await answer->outcome.wait(quiet);
    if (connection->asking > 0) extend();
  } while (end == io::WaitStatus::TimedOut &&
           io::Clock::now() < std::min(answer->quiet_deadline, scope.deadline));

  if (end != io::WaitStatus::Ready) {
    const bool cancelled = end == io::WaitStatus::Cancelled;
    // Do not cancel a handshake: a server that does not know probes would not expect it.
    connection->muted = probe || method == "initialize";
    connection->peer->cancel(*id, cancelled ? "the client cancelled the call" : "the call took too long");
    connection->muted = false;
    if (cancelled) co_return refused(ErrorKind::Cancelled, "The call was cancelled.");
    co_return refused(ErrorKind::Timeout,
                      "The server " + config_.name + " did not answer " + method + " in time.",
                      "Call again, or set a larger timeout_s for it in " + config_.file.string() + ".");
  }
  if (auto* error = std::get_if<rpc::RpcError>(&answer->outcome.value()))
    co_return Reply(tl::unexpect, request_error(method, *error));
  if (auto* lost = std::get_if<rpc::ConnectionLost>(&answer->outcome.value()))
    co_return refused(ErrorKind::BackendUnavailable, lost->reason, "Call again to reconnect.");
  json result = std::move(std::get<rpc::Success>(answer->outcome.value()).result);
  if (!result.is_object())
    co_return refused(ErrorKind::BackendError, "The server " + config_.name + " answered " + method +
                                                   " with a result that is not an object.");
  if (modern_ || probe) {
    const json type = result.value("resultType", json("complete"));
    if (type == "input_required" && options.accepts_input) co_return result;
    if (type == "input_required")
      co_return refused(
          ErrorKind::NotSupported,
          "The server " + config_.name +
              " asks for more input (elicitation, sampling or roots), "
              "which nobody here can give.",
          "Pass everything it needs in the arguments, or use a host that answers such questions.");
    if (type != "complete")
      co_return refused(ErrorKind::BackendError, "The server " + config_.name +
                                                     " answered with a result of unknown type " +
                                                     printable(rpc::dump(type)) + ".");
  }
  co_return result;
}

RequestError Client::request_error(const std::string& method, const rpc::RpcError& error) const {
  const std::string said = printable(config_, error.message.substr(0, kMaxMessageShown));
  if (error.code == kTransportError) {
    const int status = error.data.is_object() ? error.data.value("http_status", 0) : 0;
    const bool unauthorized = status == 401 || status == 403;
    const std::string hint = error.data.is_object() ? error.data.value("hint", "") : "";
    return {Error(status == 429 ? ErrorKind::RateLimited : ErrorKind::BackendUnavailable,
                  "The server " + config_.name + ": " + said,
                  !hint.empty()  ? hint
                  : unauthorized ? "Correct its headers or its auth in " + config_.file.string() + "."
                                 : "Try again later; see lean_server_health for its status."),
            error};
  }
  std::string message =
      "The server " + config_.name + " refused " + method + " (" + std::to_string(error.code) + "): " + said;
  if (!error.data.is_null())
    message += " " + printable(config_, rpc::dump(error.data).substr(0, kMaxMessageShown));
  return {Error(ErrorKind::BackendError, std::move(message),
                "Correct the arguments; the error comes from the server."),
          error};
}

}  // namespace leanbridge::upstream
