// Client: one request, from its parameters to its answer.

#include "leanbridge/base/log.hpp"
#include "leanbridge/mcp/revision.hpp"

#include "connection.hpp"
#include "incoming.hpp"

#include <algorithm>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

constexpr std::size_t kLongestMessageShown = 2000;

struct Slot {
  std::optional<rpc::Outcome> outcome;
  io::Condition done;
  io::Clock::time_point quiet_deadline;
};

Reply refused(ErrorKind kind, std::string message, std::string hint = {}) {
  return Reply(tl::unexpect, RequestError{Error(kind, std::move(message), std::move(hint)), std::nullopt});
}

// Removes the token when the request is over, in whatever way.
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

asio::awaitable<Reply> Client::request(std::string method, json params, io::Scope scope,
                                       OnProgress on_progress) {
  const auto self = shared_from_this();
  for (int attempt = 0;; ++attempt) {
    const Result<void> ready = co_await ensure_ready(scope);
    if (!ready) co_return Reply(tl::unexpect, RequestError{ready.error(), std::nullopt});
    Reply reply = co_await request_on(connection_, method, params, config_.timeout,
                                      scope.at_most(options_.request_cap), on_progress);
    if (attempt > 0 || !is_expired_session(reply)) co_return reply;
  }
}

asio::awaitable<Reply> Client::request_on(ConnectionPtr connection, std::string method, json params,
                                          io::Clock::duration quiet_limit, io::Scope scope,
                                          OnProgress on_progress) {
  const auto self = shared_from_this();
  if (!params.is_object()) params = json::object();
  const bool probe = method == "server/discover";
  if (modern_ && !probe && method != "initialize") {
    const json meta = modern_meta();
    params["_meta"].update(meta);
  }
  auto slot = std::make_shared<Slot>();
  const auto extend = [slot, quiet_limit] { slot->quiet_deadline = io::Clock::now() + quiet_limit; };
  extend();
  const std::string token = "p" + std::to_string(connection->next_token++);
  const Registered<decltype(connection->progress)> registered{connection->progress, token};
  if (on_progress) {
    params["_meta"]["progressToken"] = token;
    connection->progress[token] = {std::move(on_progress), extend};
  }
  const auto complete = [slot](rpc::Outcome outcome) {
    slot->outcome = std::move(outcome);
    slot->done.notify_all();
  };
  const auto id = connection->peer->request(method, std::move(params), complete);
  if (!id) co_return Reply(tl::unexpect, RequestError{id.error(), std::nullopt});

  io::WaitEnd end = io::WaitEnd::TimedOut;
  do {
    const io::Scope quiet = scope.at_most(slot->quiet_deadline - io::Clock::now());
    end = co_await io::wait_until(slot->done, quiet, [&] { return slot->outcome.has_value(); });
  } while (end == io::WaitEnd::TimedOut && io::Clock::now() < std::min(slot->quiet_deadline, scope.deadline));

  if (end != io::WaitEnd::Ready) {
    const bool cancelled = end == io::WaitEnd::Cancelled;
    // A handshake is not cancelled, and a server that does not know of probes would wonder.
    connection->muted = probe || method == "initialize";
    connection->peer->cancel(*id, cancelled ? "the client cancelled the call" : "it took too long");
    connection->muted = false;
    if (cancelled) co_return refused(ErrorKind::Cancelled, "The call was cancelled.");
    co_return refused(ErrorKind::Timeout,
                      "The server " + config_.name + " did not answer " + method + " in time.",
                      "Call again, or set a larger timeout_s for it in " + config_.file.string() + ".");
  }
  if (auto* error = std::get_if<rpc::RpcError>(&*slot->outcome))
    co_return Reply(tl::unexpect, request_error(method, *error));
  if (auto* lost = std::get_if<rpc::ConnectionLost>(&*slot->outcome))
    co_return refused(ErrorKind::BackendUnavailable, lost->reason, "Call again: it is connected afresh.");
  json result = std::move(std::get<rpc::Success>(*slot->outcome).result);
  if (!result.is_object())
    co_return refused(ErrorKind::BackendError, "The server " + config_.name + " answered " + method +
                                                   " with something that is no object.");
  if (modern_ || probe) {
    const json type = result.value("resultType", json("complete"));
    if (type == "input_required")
      co_return refused(
          ErrorKind::NotSupported,
          "The server " + config_.name +
              " asks for more input (elicitation, sampling or roots), "
              "which leanbridge cannot pass on.",
          "Give everything it needs in the arguments, or connect the host to that server directly.");
    if (type != "complete")
      co_return refused(ErrorKind::BackendError, "The server " + config_.name +
                                                     " answered with a result of an unknown type, " +
                                                     printable(rpc::dump(type)) + ".");
  }
  co_return result;
}

RequestError Client::request_error(const std::string& method, const rpc::RpcError& error) const {
  const std::string said = printable(config_, error.message.substr(0, kLongestMessageShown));
  if (error.code == kTransportError) {
    const int status = error.data.is_object() ? error.data.value("http_status", 0) : 0;
    const bool unauthorized = status == 401 || status == 403;
    const std::string hint = error.data.is_object() ? error.data.value("hint", "") : "";
    return {Error(status == 429 ? ErrorKind::RateLimited : ErrorKind::BackendUnavailable,
                  "The server " + config_.name + ": " + said,
                  !hint.empty()  ? hint
                  : unauthorized ? "Correct its headers or its auth in " + config_.file.string() + "."
                                 : "Try again later; lean_server_health tells how it stands."),
            error};
  }
  std::string message =
      "The server " + config_.name + " refused " + method + " (" + std::to_string(error.code) + "): " + said;
  if (!error.data.is_null())
    message += " " + printable(config_, rpc::dump(error.data).substr(0, kLongestMessageShown));
  return {Error(ErrorKind::BackendError, std::move(message),
                "Correct the arguments; the error is the server's own."),
          error};
}

}  // namespace leanbridge::upstream
