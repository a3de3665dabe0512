#include "legacy_session.hpp"

#include <algorithm>

namespace leanbridge::streamable {

namespace {

constexpr int kRetryMs = 1000;
constexpr std::size_t kMaxStreams = 64;                       // ended streams of a session
constexpr std::size_t kMaxKeptBytes = std::size_t{8} << 20;   // of a session's ended streams
constexpr std::string_view kFirstWithPriming = "2025-11-25";  // clients of older revisions fail at an event
                                                              // without data

}  // namespace

std::vector<rpc::Id> requests_in(const rpc::Message& message) {
  std::vector<rpc::Id> ids;
  if (const auto* request = std::get_if<rpc::Request>(&message)) ids.push_back(request->id);
  if (const auto* batch = std::get_if<rpc::Batch>(&message))
    for (const nlohmann::json& element : batch->elements)
      if (const auto single = rpc::message_from_json(element))
        if (const auto* request = std::get_if<rpc::Request>(&*single)) ids.push_back(request->id);
  return ids;
}

std::optional<rpc::Id> cancelled_in(const rpc::Message& message) {
  const auto* notification = std::get_if<rpc::Notification>(&message);
  if (!notification || notification->method != "notifications/cancelled") return std::nullopt;
  if (!notification->params.is_object() || !notification->params.contains("requestId")) return std::nullopt;
  return rpc::Id::from_json(notification->params["requestId"]);
}

LegacySession::LegacySession(std::shared_ptr<Endpoint> endpoint, std::string id, std::string client)
    : endpoint_(std::move(endpoint)), id_(std::move(id)), client_(std::move(client)) {
  streams_.try_emplace(0, 0);
}

void LegacySession::start() {
  session_ = endpoint_->hooks().make_session([weak = weak_from_this()](mcp::Outgoing&& message) {
    if (const auto self = weak.lock()) self->send(std::move(message));
  });
  session_->set_client(id_);
}

// --- requests

void LegacySession::post(std::shared_ptr<http::Exchange> exchange, rpc::Message message, bool opening) {
  used_ = io::Clock::now();
  const auto self = shared_from_this();
  auto ids = requests_in(message);
  if (ids.empty()) {
    exchange->respond({.status = 202});
    const auto cancelled = cancelled_in(message);
    session_->receive(std::move(message));
    if (cancelled) never_answered(*cancelled);
    return;
  }
  const std::uint64_t number = next_stream_++;
  Stream& stream = streams_.try_emplace(number, number).first->second;
  http::Fields fields;
  if (opening) fields.emplace_back("mcp-session-id", id_);
  stream.reply = std::make_shared<Reply>(exchange, std::move(fields));
  stream.is_batch = std::holds_alternative<rpc::Batch>(message);
  if (opening) opening_ = ids.front();
  stream.owed = std::move(ids);
  // A closed connection is not a cancellation: the client may come back for the rest.
  exchange->on_closed = [weak = weak_from_this(), number] {
    const auto here = weak.lock();
    if (!here) return;
    const auto found = here->streams_.find(number);
    if (found != here->streams_.end()) found->second.reply = nullptr;
  };
  if (stream.reply->takes_events()) {
    if (stream.is_batch) begin_events(number, stream);
    wait_for_answer(number);
  }
  session_->receive(std::move(message));
}

// A cancelled request gets no answer, so its stream ends without one.
void LegacySession::never_answered(const rpc::Id& id) {
  const auto found = std::ranges::find_if(streams_, [&](const auto& each) {
    const auto& owed = each.second.owed;
    return std::find(owed.begin(), owed.end(), id) != owed.end();
  });
  if (found == streams_.end() || !endpoint_) return;
  Stream& stream = found->second;
  std::erase(stream.owed, id);
  endpoint_->call_ended(client_);
  if (!stream.owed.empty()) return;
  if (const auto reply = std::exchange(stream.reply, nullptr)) {
    reply->exchange()->on_closed = nullptr;
    if (reply->form() == ReplyForm::Undecided)
      reply->exchange()->respond({.status = 202});
    else
      reply->end();
  }
  streams_.erase(found);
}

bool LegacySession::owes(const rpc::Id& id) const {
  return std::ranges::any_of(streams_, [&](const auto& each) {
    const auto& owed = each.second.owed;
    return std::find(owed.begin(), owed.end(), id) != owed.end();
  });
}

// Begins the stream of an answer early if it takes long: its client then knows an event to resume from, and
// proxies see activity.
void LegacySession::wait_for_answer(std::uint64_t number) {
  auto timer = std::make_shared<io::Timer>(endpoint_->context(), endpoint_->limits().patience);
  timer->async_wait([weak = weak_from_this(), number, timer](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (error || !self || !self->endpoint_) return;
    const auto found = self->streams_.find(number);
    if (found == self->streams_.end() || !found->second.reply) return;
    if (found->second.reply->form() == ReplyForm::Undecided) self->begin_events(number, found->second);
  });
}

void LegacySession::begin_events(std::uint64_t number, Stream& stream) {
  stream.reply->begin_events();
  stream.has_events = true;
  endpoint_->keep_open(stream.reply->exchange());
  if (revision() >= kFirstWithPriming && number != 0) {
    stream.events.add_priming(kRetryMs);
    deliver(stream);
  }
}

void LegacySession::get(std::shared_ptr<http::Exchange> exchange,
                        const std::optional<std::string>& last_event) {
  used_ = io::Clock::now();
  if (!last_event) return attach(0, std::move(exchange), streams_.at(0).sent);
  const auto id = EventId::read(*last_event);
  const auto found = id ? streams_.find(id->stream) : streams_.end();
  if (found == streams_.end() || !found->second.events.after(id->event)) {
    exchange->respond({.status = 400,
                       .fields = {{"content-type", "text/plain"}},
                       .body = "The stream of this event is not kept any more. Send the request again.\n"});
    return;
  }
  endpoint_->count_resumed();
  attach(id->stream, std::move(exchange), id->event);
}

void LegacySession::attach(std::uint64_t number, std::shared_ptr<http::Exchange> exchange,
                           std::uint64_t after) {
  Stream& stream = streams_.at(number);
  // The client has opened it again, so it no longer reads the old connection.
  if (const auto old = std::exchange(stream.reply, nullptr)) {
    old->exchange()->on_closed = nullptr;
    if (old->form() == ReplyForm::Events) old->end();
  }
  stream.reply = std::make_shared<Reply>(exchange, http::Fields());
  stream.reply->begin_events();
  endpoint_->keep_open(exchange);
  exchange->on_closed = [weak = weak_from_this(), number, gone = std::weak_ptr(exchange)] {
    const auto self = weak.lock();
    if (!self) return;
    const auto found = self->streams_.find(number);
    if (found != self->streams_.end() && found->second.reply &&
        found->second.reply->exchange() == gone.lock())
      found->second.reply = nullptr;
  };
  stream.sent = after;
  deliver(stream);
}

// --- messages from the session

LegacySession::Stream* LegacySession::stream_for(const mcp::Outgoing& message) {
  if (message.about) {
    for (auto& [number, stream] : streams_)
      if (std::ranges::find(stream.owed, *message.about) != stream.owed.end()) return &stream;
    return nullptr;
  }
  if (streams_.at(0).reply) return &streams_.at(0);
  // If there is no stream for messages without a request, they go to the newest one.
  for (auto each = streams_.rbegin(); each != streams_.rend(); ++each)
    if (each->second.reply && !each->second.ended && each->second.reply->takes_events()) return &each->second;
  return &streams_.at(0);
}

void LegacySession::send(mcp::Outgoing&& message) {
  if (!endpoint_) return;
  Stream* const stream = stream_for(message);
  if (!stream) return;
  const std::uint64_t number =
      std::ranges::find_if(streams_, [&](auto& each) { return &each.second == stream; })->first;
  stream->last_change = io::Clock::now();
  if (message.is_answer) {
    std::erase(stream->owed, *message.about);
    endpoint_->call_ended(client_);
    if (opening_ == message.about) {
      opening_.reset();
      refused_ = message.error_code != 0;
    }
  }
  const bool is_last = message.is_answer && stream->owed.empty();
  const bool is_undecided = stream->reply && stream->reply->form() == ReplyForm::Undecided;
  if (is_last && is_undecided) {
    stream->reply->whole(200, std::move(message.text));
    streams_.erase(number);
  } else if (is_last && !stream->has_events && !stream->reply) {
    streams_.erase(number);  // its client left before it knew an event to resume from
  } else if (!is_undecided || stream->reply->takes_events()) {
    if (is_undecided) begin_events(number, *stream);
    stream->events.add(message.text);
    stream->ended = is_last;
    deliver(*stream);
    if (is_last) bound_streams();
  }
  if (!refused_) return;
  asio::post(endpoint_->context(), [self = shared_from_this()] { self->end(); });
}

void LegacySession::deliver(Stream& stream) {
  if (!stream.reply || stream.reply->form() != ReplyForm::Events) return;
  const auto reply = stream.reply;
  // While there was no connection, more may have been sent than is kept.
  auto rest = stream.events.after(stream.sent);
  if (!rest) rest = stream.events.all();
  stream.sent = stream.events.latest();
  for (std::string& event : *rest)
    if (!reply->write(std::move(event))) return;
  if (!stream.ended) return;
  reply->end();
  stream.reply = nullptr;
}

// --- the end of streams

// Keeps only the newest of the ended streams.
void LegacySession::bound_streams() {
  std::size_t count = 0, bytes = 0;
  for (auto each = streams_.rbegin(); each != streams_.rend();) {
    const bool is_over = each->first != 0 && each->second.ended && !each->second.reply;
    if (is_over) {
      ++count;
      bytes += each->second.events.bytes();
    }
    if (is_over && (count > kMaxStreams || (bytes > kMaxKeptBytes && count > 1)))
      each = std::make_reverse_iterator(streams_.erase(std::next(each).base()));
    else
      ++each;
  }
}

void LegacySession::forget_streams(io::Clock::time_point now) {
  const auto kept = endpoint_ ? endpoint_->limits().stream_kept : io::Clock::duration::zero();
  std::erase_if(streams_, [&](const auto& each) {
    return each.first != 0 && each.second.ended && now - each.second.last_change > kept;
  });
}

bool LegacySession::has_connection() const {
  return std::ranges::any_of(
      streams_, [](const auto& each) { return each.second.reply != nullptr || !each.second.owed.empty(); });
}

void LegacySession::drain() {
  Stream& general = streams_.at(0);
  if (const auto reply = std::exchange(general.reply, nullptr)) reply->end();
}

void LegacySession::end() {
  const auto endpoint = std::exchange(endpoint_, nullptr);
  if (!endpoint) return;
  const auto self = shared_from_this();
  session_->close();
  for (auto& [number, stream] : streams_) {
    for (std::size_t i = 0; i < stream.owed.size(); ++i) endpoint->call_ended(client_);
    const auto reply = std::exchange(stream.reply, nullptr);
    if (!reply || !reply->open()) continue;
    if (reply->form() == ReplyForm::Events)
      reply->end();
    else
      reply->exchange()->respond({.status = 404});
  }
  endpoint->legacy_ended(id_);
}

}  // namespace leanbridge::streamable
