#include "network.hpp"

namespace leanbridge::faults {

using nlohmann::json;
using std::chrono::milliseconds;

namespace {

constexpr std::size_t kMaxQueued = std::size_t{8} << 20;
constexpr auto kLife = std::chrono::hours(24);

}  // namespace

Network::Network(asio::io_context& context, mcp::ToolRegistry& registry, Random random, Trace& trace,
                 Events events)
    : context_(context),
      random_(random),
      trace_(trace),
      events_(std::move(events)),
      cut_(random_.percent(70) ? random_.between(5, 40) : 0),
      slow_(random_.percent(70) ? random_.between(5, 60) : 0) {
  streamable::EndpointHooks hooks;
  const auto options = std::make_shared<const mcp::SessionOptions>();
  hooks.make_session = [this, options, &registry](std::function<void(mcp::Outgoing&&)> out) {
    const auto send = [this, out = std::move(out)](mcp::Outgoing&& message) {
      sent_.insert(message.text);
      if (events_.sent) events_.sent(message.text);
      out(std::move(message));
    };
    auto session = std::make_shared<mcp::Session>(context_, registry, options, send,
                                                  [ready = events_.ready] { ready(); });
    sessions_.push_back(session);
    return session;
  };
  endpoint_ =
      std::make_shared<streamable::Endpoint>(context_, streamable::EndpointLimits{}, std::move(hooks));
}

std::shared_ptr<http::Exchange> Network::handle(std::string method, http::Fields fields, std::string body) {
  http::IncomingRequest head;
  head.method = std::move(method);
  head.target = "/mcp";
  head.fields = std::move(fields);
  head.fields.emplace_back("accept", "application/json, text/event-stream");
  head.body = std::move(body);
  head.client = "127.0.0.1";
  auto exchange = std::make_shared<http::Exchange>(std::move(head), kMaxQueued);
  asio::post(context_, [endpoint = endpoint_, exchange] { endpoint->handle(exchange); });
  return exchange;
}

void Network::send(const json& message) {
  const std::string method = message.value("method", "");
  const bool opens = method == "initialize";
  if (!opens && session_id_.empty()) {
    unsent_.push_back(message);
    return;
  }
  http::Fields fields;
  if (!opens) fields.emplace_back("mcp-session-id", session_id_);
  const auto stream = std::make_shared<Stream>();
  if (message.contains("id") && message["id"].is_number_integer()) {
    stream->request = message["id"].get<int>();
    owed_.insert(stream->request);
  }
  stream->exchange = handle("POST", std::move(fields), message.dump());
  if (method == "notifications/cancelled") {
    const int request = message["params"]["requestId"].get<int>();
    owed_.erase(request);
    asio::post(context_, [cancelled = events_.cancelled, request] {
      if (cancelled) cancelled(request);
    });
  }
  io::spawn(context_, read(stream));
  if (stream->request == 0 || !random_.percent(cut_)) return;
  const auto after = milliseconds(random_.between(0, random_.percent(50) ? 50 : 4000));
  auto timer = std::make_shared<io::Timer>(context_, io::Clock::now() + after);
  timer->async_wait([timer, stream](const boost::system::error_code&) { stream->exchange->client_gone(); });
}

// Ends with the exchange, so that nothing waits at the end of a run.
asio::awaitable<void> Network::read(StreamPtr stream) {
  const auto self = shared_from_this();
  const auto exchange = stream->exchange;
  const auto has_news = [exchange] {
    return exchange->closed() || exchange->ended() || exchange->has_part() ||
           (exchange->begun() && !exchange->in_parts());
  };
  for (;;) {
    co_await io::wait_until(exchange->changed(), io::CancelScope(kLife), has_news);
    if (stream->request != 0 && random_.percent(slow_))
      co_await io::sleep_for(milliseconds(random_.between(1, 800)), io::CancelScope(kLife));
    if (exchange->closed()) {
      trace_.say("cut", std::to_string(stream->request));
      if (!endpoint_ || stream->request == 0 || !owed_.contains(stream->request)) co_return;
      co_await io::sleep_for(milliseconds(random_.between(1, 500)), io::CancelScope(kLife));
      if (!endpoint_ || !owed_.contains(stream->request)) co_return;
      if (stream->last_event.empty())
        give_up(stream->request);
      else
        resume(stream);
      co_return;
    }
    take(*stream);
    if (exchange->ended()) co_return;
  }
}

void Network::take(Stream& stream) {
  http::Exchange& exchange = *stream.exchange;
  if (!exchange.in_parts()) {
    const http::OutgoingResponse& head = *exchange.head();
    for (const auto& [name, value] : head.fields)
      if (name == "mcp-session-id") session_id_ = value;
    if (head.status == 200)
      deliver(head.body);
    else if (head.status != 202 && head.status != 204)
      trace_.fail("status " + std::to_string(head.status) + ": " + head.body);
    while (!session_id_.empty() && !unsent_.empty()) {
      const json message = std::move(unsent_.front());
      unsent_.pop_front();
      send(message);
    }
    return;
  }
  while (exchange.has_part()) stream.text += exchange.take_part();
  for (std::size_t end = stream.text.find("\n\n"); end != std::string::npos; end = stream.text.find("\n\n")) {
    const std::string whole = stream.text.substr(0, end + 1);
    stream.text.erase(0, end + 2);
    event(stream, whole);
  }
}

void Network::event(Stream& stream, std::string_view text) {
  std::string id, data;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    if (line.starts_with("id: ")) id = line.substr(4);
    if (line.starts_with("data: ")) data = line.substr(6);
  }
  if (id.empty()) return;  // a comment
  if (!seen_.insert(id).second) trace_.fail("an event has come twice: " + id);
  stream.last_event = id;
  if (!data.empty()) deliver(data);
}

void Network::resume(const StreamPtr& stream) {
  trace_.say("again", stream->last_event);
  const auto next = std::make_shared<Stream>();
  next->request = stream->request;
  next->last_event = stream->last_event;
  next->exchange =
      handle("GET", {{"mcp-session-id", session_id_}, {"last-event-id", stream->last_event}}, "");
  io::spawn(context_, read(next));
}

// As a client does that has lost the connection before it knew an event.
void Network::give_up(int request) {
  send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", request}}}});
  asio::post(context_, [self = shared_from_this(), request] {
    if (self->events_.lost) self->events_.lost(request);
  });
}

void Network::deliver(const std::string& text) {
  const json message = json::parse(text);
  const bool is_answer = message.contains("id") && !message.contains("method");
  // Otherwise it was cancelled when the answer was already on its way.
  if (is_answer && message["id"].is_number_integer() && owed_.erase(message["id"].get<int>()) == 0) return;
  const auto sent = sent_.find(text);
  if (sent == sent_.end()) return trace_.fail("what arrives was not sent, or has come twice: " + text);
  sent_.erase(sent);
}

std::size_t Network::calls_under_way() const {
  std::size_t count = 0;
  for (const auto& weak : sessions_)
    if (const auto session = weak.lock()) count += session->calls_under_way();
  return count;
}

void Network::end() {
  if (const auto counts = endpoint_->counts(); counts.calls > 0)
    trace_.fail(std::to_string(counts.calls) + " requests count as unanswered");
  for (const int id : owed_) trace_.fail("the answer to " + std::to_string(id) + " has not arrived");
  const auto stream = std::make_shared<Stream>();
  stream->exchange = handle("DELETE", {{"mcp-session-id", session_id_}}, "");
  asio::post(context_, [self = shared_from_this(), exchange = stream->exchange] {
    if (!exchange->begun() || exchange->head()->status != 204) self->trace_.fail("the session does not end");
    if (self->endpoint_->counts().sessions > 0) self->trace_.fail("a session is left");
    self->close();
  });
}

void Network::close() {
  if (const auto endpoint = std::exchange(endpoint_, nullptr)) endpoint->close();
  events_ = {};
}

}  // namespace leanbridge::faults
