#include "peer.hpp"

#include <nlohmann/json.hpp>

#include <cassert>
#include <map>
#include <unordered_map>
#include <utility>

namespace leanbridge::rpc {

using nlohmann::json;

namespace detail {

/// The tables of one connection, shared by the Peer and, weakly, by its Responders. Callers hold a shared_ptr
/// around every member function that runs callbacks, because a callback may destroy the Peer.
class PeerState : public std::enable_shared_from_this<PeerState> {
 public:
  PeerState(Dialect dialect, std::function<void(std::string&&)> send, Peer::Handlers handlers,
            Peer::Limits limits)
      : dialect_(dialect),
        send_(std::move(send)),
        handlers_(std::move(handlers)),
        limits_(limits),
        last_id_(limits.first_request - 1) {}

  // Outgoing.
  Result<Id> request(std::string_view method, json params, Completion completion);
  bool cancel(const Id& id, std::string_view reason);
  void fail_all(std::string_view reason);
  std::size_t pending_count() const { return pending_.size(); }
  void send(std::string text) {
    if (send_) send_(std::move(text));
  }
  void send_answer(const Id& id, int error_code, std::string text) {
    if (send_ && handlers_.send_answer)
      handlers_.send_answer(id, error_code, std::move(text));
    else
      send(std::move(text));
  }
  /// The Peer is gone, though a callback that destroyed it may still run: sends nothing from here on.
  void close();

  // Incoming.
  void receive(Message message);
  void fail_incoming(std::string_view reason);
  std::size_t in_flight_count() const { return in_flight_.size(); }
  Peer::StrayResponses stray() const { return stray_; }

  // For Responder. `serial` must match: the id may be in use again for a later request.
  /// Ends the request; true when an answer is to be sent.
  bool finish(const Id& id, std::uint64_t serial, bool wants_answer);
  void set_cancel_handler(const Id& id, std::uint64_t serial,
                          std::function<void(const std::string&)> handler);
  bool is_cancelled(const Id& id, std::uint64_t serial) const;

 private:
  struct InFlight {
    std::uint64_t serial = 0;
    bool cancelled = false;
    std::string cancel_reason;
    std::function<void(const std::string&)> on_cancel;
  };

  void on_request(Request request);
  void on_notification(Notification notification);
  void on_response(Response response);
  void on_cancel_notification(const json& params);
  void refuse(const Id& id, int code, std::string message) {
    send_answer(id, code, make_error(id, {code, std::move(message)}));
  }

  Dialect dialect_;
  std::function<void(std::string&&)> send_;
  Peer::Handlers handlers_;
  Peer::Limits limits_;

  std::int64_t last_id_;                        // the id of our last request
  std::map<std::int64_t, Completion> pending_;  // ordered: fail_all() goes from the oldest to the newest
  Peer::StrayResponses stray_;

  std::uint64_t last_serial_ = 0;
  std::unordered_map<Id, InFlight> in_flight_;
};

/// The number of an id that we issued, or 0 for any other id: ours begin at 1.
std::int64_t own_id(const Id& id) {
  const json value = id.to_json();
  return value.is_number_integer() && !value.is_number_unsigned() ? value.get<std::int64_t>() : 0;
}

void PeerState::close() {
  send_ = nullptr;
  // Entries may hold Responders, whose destructors look into the tables: empty the tables first.
  const auto pending = std::exchange(pending_, {});
  const auto in_flight = std::exchange(in_flight_, {});
}

Result<Id> PeerState::request(std::string_view method, json params, Completion completion) {
  if (pending_.size() >= limits_.outgoing) {
    return fail(ErrorKind::Internal,
                std::to_string(pending_.size()) + " requests are still unanswered, so '" +
                    std::string(method) + "' was not sent",
                "Wait for calls in progress to end, then try again.");
  }
  const std::int64_t number = ++last_id_;
  pending_.emplace(number, std::move(completion));
  const Id id(number);
  send(make_request(id, method, std::move(params)));
  return id;
}

bool PeerState::cancel(const Id& id, std::string_view reason) {
  const auto entry = pending_.extract(own_id(id));
  if (entry.empty()) return false;
  json params = json::object();
  params[std::string(dialect_.cancel_id_member)] = id.to_json();
  if (dialect_.has_reason && !reason.empty()) params["reason"] = reason;
  send(make_notification(dialect_.cancel_method, std::move(params)));
  return true;
}

void PeerState::fail_all(std::string_view reason) {
  const std::string why(reason);
  // A completion may send a new request, which must not fail now.
  auto failed = std::exchange(pending_, {});
  for (auto& [number, completion] : failed) {
    if (completion) completion(ConnectionLost{why});
  }
}

void PeerState::receive(Message message) {
  if (auto* request = std::get_if<Request>(&message)) return on_request(std::move(*request));
  if (auto* notification = std::get_if<Notification>(&message))
    return on_notification(std::move(*notification));
  if (auto* response = std::get_if<Response>(&message)) return on_response(std::move(*response));
}

void PeerState::on_response(Response response) {
  const std::int64_t number = response.id ? own_id(*response.id) : 0;
  auto entry = pending_.extract(number);
  if (entry.empty()) {
    ++(number >= 1 && number <= last_id_ ? stray_.late : stray_.unknown);
    return;
  }
  if (!entry.mapped()) return;
  entry.mapped()(std::visit([](auto&& outcome) { return Outcome(std::forward<decltype(outcome)>(outcome)); },
                            std::move(response.outcome)));
}

void PeerState::on_request(Request request) {
  if (in_flight_.contains(request.id)) {
    return refuse(request.id, kInvalidRequest,
                  "a request with the id " + request.id.to_string() + " is in progress");
  }
  if (in_flight_.size() >= limits_.incoming)
    return refuse(request.id, kInternalError, "too many requests are in progress");
  if (!handlers_.on_request)
    return refuse(request.id, kMethodNotFound, "unknown method '" + request.method + "'");
  const std::uint64_t serial = ++last_serial_;
  InFlight entry;
  entry.serial = serial;
  in_flight_.emplace(request.id, std::move(entry));
  Responder responder(weak_from_this(), request.id, serial);
  handlers_.on_request(std::move(request), std::move(responder));
}

void PeerState::on_notification(Notification notification) {
  if (notification.method == dialect_.cancel_method) return on_cancel_notification(notification.params);
  if (handlers_.on_notification) handlers_.on_notification(std::move(notification));
}

void PeerState::on_cancel_notification(const json& params) {
  if (!params.is_object()) return;
  const auto member = params.find(dialect_.cancel_id_member);
  if (member == params.end()) return;
  const std::optional<Id> id = Id::from_json(*member);
  if (!id) return;
  const auto entry = in_flight_.find(*id);
  if (entry == in_flight_.end() || entry->second.cancelled) return;
  entry->second.cancelled = true;
  const auto reason = params.find("reason");
  if (reason != params.end() && reason->is_string()) entry->second.cancel_reason = reason->get<std::string>();
  // Moved out, because the handler may answer and so remove the entry that owns it.
  const auto handler = std::exchange(entry->second.on_cancel, nullptr);
  const std::string why = entry->second.cancel_reason;
  if (handler) handler(why);
}

void PeerState::fail_incoming(std::string_view reason) {
  const std::string why(reason);
  auto gone = std::exchange(in_flight_, {});
  std::map<std::uint64_t, std::function<void(const std::string&)>> handlers;  // from the oldest to the newest
  for (auto& [id, entry] : gone) {
    if (!entry.cancelled && entry.on_cancel) handlers.emplace(entry.serial, std::move(entry.on_cancel));
  }
  for (auto& [serial, handler] : handlers) handler(why);
}

bool PeerState::finish(const Id& id, std::uint64_t serial, bool wants_answer) {
  const auto entry = in_flight_.find(id);
  // If there is no entry, fail_incoming() has removed it.
  if (entry == in_flight_.end() || entry->second.serial != serial) return false;
  const bool cancelled = entry->second.cancelled;
  in_flight_.erase(entry);
  return wants_answer && (!cancelled || dialect_.answers_cancelled);
}

void PeerState::set_cancel_handler(const Id& id, std::uint64_t serial,
                                   std::function<void(const std::string&)> handler) {
  const auto entry = in_flight_.find(id);
  if (entry == in_flight_.end() || entry->second.serial != serial) return handler("the connection was lost");
  if (!entry->second.cancelled) {
    entry->second.on_cancel = std::move(handler);
    return;
  }
  const std::string why = entry->second.cancel_reason;
  handler(why);
}

bool PeerState::is_cancelled(const Id& id, std::uint64_t serial) const {
  const auto entry = in_flight_.find(id);
  return entry == in_flight_.end() || entry->second.serial != serial || entry->second.cancelled;
}

}  // namespace detail

// ---- Responder

Responder::Responder(std::weak_ptr<detail::PeerState> peer, Id id, std::uint64_t serial)
    : peer_(std::move(peer)), id_(std::move(id)), serial_(serial) {}

Responder::Responder(Responder&& other) noexcept
    : peer_(std::move(other.peer_)),
      id_(std::move(other.id_)),
      serial_(other.serial_),
      open_(std::exchange(other.open_, false)) {}

Responder& Responder::operator=(Responder&& other) noexcept {
  Responder taken(std::move(other));
  std::swap(peer_, taken.peer_);  // `taken` now answers for the request that this one owed
  std::swap(id_, taken.id_);
  std::swap(serial_, taken.serial_);
  std::swap(open_, taken.open_);
  return *this;
}

Responder::~Responder() {
  if (open_) error({kInternalError, "the request ended without an answer"});
}

/// Uses up the right to answer. Returns the peer to answer through, or null if no answer is to be sent.
std::shared_ptr<detail::PeerState> Responder::close(bool wants_answer) {
  assert(open_ && "a request is answered once");
  if (!std::exchange(open_, false)) return nullptr;
  auto peer = peer_.lock();
  return peer && peer->finish(id_, serial_, wants_answer) ? peer : nullptr;
}

void Responder::result(json value) {
  const Id id = id_;  // a copy: an on_cancel handler, freed with the table entry, may own this Responder
  if (const auto peer = close(true)) peer->send_answer(id, 0, make_result(id, std::move(value)));
}

void Responder::result_text(const std::string& value) {
  const Id id = id_;  // as in result()
  if (const auto peer = close(true)) peer->send_answer(id, 0, make_result_text(id, value));
}

void Responder::error(RpcError error) {
  const Id id = id_;  // as in result()
  const int code = error.code;
  if (const auto peer = close(true)) peer->send_answer(id, code, make_error(id, std::move(error)));
}

void Responder::abandon() {
  close(false);
}

void Responder::on_cancel(std::function<void(const std::string& reason)> handler) {
  if (!open_) return;
  if (const auto peer = peer_.lock()) peer->set_cancel_handler(id_, serial_, std::move(handler));
}

bool Responder::cancelled() const {
  if (!open_) return false;
  const auto peer = peer_.lock();
  return !peer || peer->is_cancelled(id_, serial_);
}

// ---- Peer: keeps the state alive while callbacks run, since they may destroy the Peer.

Peer::Peer(Dialect dialect, std::function<void(std::string&& json)> send, Handlers handlers)
    : Peer(dialect, std::move(send), std::move(handlers), Limits{}) {}

Peer::Peer(Dialect dialect, std::function<void(std::string&& json)> send, Handlers handlers, Limits limits)
    : state_(std::make_shared<detail::PeerState>(dialect, std::move(send), std::move(handlers), limits)) {}

Peer::~Peer() {
  state_->close();
}

Result<Id> Peer::request(std::string_view method, json params, Completion completion) {
  return state_->request(method, std::move(params), std::move(completion));
}

bool Peer::cancel(const Id& id, std::string_view reason) {
  return state_->cancel(id, reason);
}

void Peer::notify(std::string_view method, json params) {
  state_->send(make_notification(method, std::move(params)));
}

void Peer::fail_all(std::string_view reason) {
  const auto alive = state_;
  alive->fail_all(reason);
}

std::size_t Peer::pending_count() const {
  return state_->pending_count();
}

void Peer::receive(Message message) {
  const auto alive = state_;
  alive->receive(std::move(message));
}

void Peer::fail_incoming(std::string_view reason) {
  const auto alive = state_;
  alive->fail_incoming(reason);
}

std::size_t Peer::in_flight_count() const {
  return state_->in_flight_count();
}

Peer::StrayResponses Peer::stray_responses() const {
  return state_->stray();
}

}  // namespace leanbridge::rpc
