// Streamable HTTP. Each message is a POST, answered by JSON or a stream of events.
//
// Legacy: every message carries a session id and a revision, a broken stream is resumed if its events had
// ids, and a separate stream brings unsolicited messages. Modern: headers mirror the message, and closing the
// stream of an answer cancels its request.

#include "authorized_request.hpp"
#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "core/mcp/revision.hpp"
#include "http_headers.hpp"
#include "incoming.hpp"
#include "sse_parser.hpp"

#include <algorithm>
#include <deque>
#include <set>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

constexpr auto kNotificationLimit = std::chrono::seconds(15);
constexpr auto kDefaultRetry = std::chrono::milliseconds(1000);
constexpr auto kMaxRetry = std::chrono::milliseconds(60'000);
constexpr int kMaxResumptions = 10;  // in a row without an event

bool is_event_stream(const http::Response& head) {
  return head.header("content-type").starts_with("text/event-stream");
}

// The state of one request through its answers: the POST, and the requests that resume it.
struct PendingAnswer {
  json id;  // null if no answer is expected
  SseParser parser{kMaxMessage};
  std::string body;
  int status = 0;
  bool events = false;    // the answer is a stream of events
  bool answered = false;  // the response has arrived
  bool heard = false;     // this stream has brought an event
  bool too_large = false;
  std::shared_ptr<io::CancelSource> cancel = std::make_shared<io::CancelSource>();
};
using PendingAnswerPtr = std::shared_ptr<PendingAnswer>;

class HttpTransport : public Transport, public std::enable_shared_from_this<HttpTransport> {
 public:
  HttpTransport(asio::io_context& context, http::Client& client, std::shared_ptr<Authorization> authorization,
                ServerConfig server)
      : http_(std::make_shared<HttpContext>(
            HttpContext{context, client, std::move(authorization), std::move(server)})) {}

  Result<void> open(Events events) override {
    if (auto valid = check_url(http_->server); !valid) return valid;
    events_ = std::move(events);
    return {};
  }

  void send(std::string message) override {
    if (over_) return;
    json parsed = json::parse(message, nullptr, false);
    if (modern_ && parsed.value("method", "") == "notifications/cancelled")
      return cancel(parsed["params"]["requestId"]);
    if (queue_.size() >= kMaxQueued)
      return answer_error(events_, parsed.value("id", json()), "too many messages are waiting to be sent", 0);
    queue_.emplace_back(std::move(message), std::move(parsed));
    if (!std::exchange(sending_, true)) io::spawn(http_->loop, send_all());
  }

  asio::awaitable<void> close(io::Clock::duration grace) override {
    const auto self = shared_from_this();
    kill();
    if (session_.empty()) co_return;
    http::Request request;
    request.method = "DELETE";
    request.url = http_->server.url;
    add_legacy_headers(request);
    http::StreamEvents nothing;
    nothing.on_headers = [](const http::Response&) {};
    nothing.on_bytes = [](std::string_view) {};
    co_await exchange(http_, std::move(request), std::move(nothing), io::CancelScope(grace));
  }

  void kill() override {
    over_ = true;
    for (const PendingAnswerPtr& each : std::set<PendingAnswerPtr>(open_)) each->cancel->cancel();
  }

  void negotiated(const std::string& revision, bool modern) override {
    revision_ = revision;
    modern_ = modern;
  }
  void mirror(MirroredArguments arguments) override { mirrored_ = std::move(arguments); }
  std::string problem() const override {
    return http_->authorization ? http_->authorization->problem(http_->server) : "";
  }

 private:
  // Sends messages in order, since later ones may depend on a notification (`initialized`). Requests do not
  // wait for each other.
  asio::awaitable<void> send_all() {
    const auto self = shared_from_this();
    while (!queue_.empty() && !over_) {
      auto [text, message] = std::move(queue_.front());
      queue_.pop_front();
      const bool asks = message.contains("method") && message.contains("id");
      if (asks) {
        io::spawn(http_->loop, post(std::move(text), std::move(message), io::kNoDeadline));
        continue;
      }
      const bool initialized = message.value("method", "") == "notifications/initialized";
      co_await post(std::move(text), std::move(message), kNotificationLimit);
      if (initialized && !over_) io::spawn(http_->loop, listen());
    }
    sending_ = false;
  }

  void cancel(const json& id) {
    for (const PendingAnswerPtr& each : std::set<PendingAnswerPtr>(open_))
      if (each->id == id) {
        each->answered = true;  // the answer is no longer wanted
        each->cancel->cancel();
      }
  }

  void add_legacy_headers(http::Request& request) const {
    if (!session_.empty()) request.headers.emplace_back("Mcp-Session-Id", session_);
    if (!revision_.empty() && !modern_) request.headers.emplace_back("MCP-Protocol-Version", revision_);
  }

  http::Request request_for(std::string text, const json& message) const {
    http::Request request;
    request.method = "POST";
    request.url = http_->server.url;
    request.headers = {{"Content-Type", "application/json"},
                       {"Accept", "application/json, text/event-stream"}};
    const json& meta = member(member(message, "params"), "_meta");
    if (const json& revision = member(meta, mcp::kMetaProtocolVersion); !revision.is_null()) {
      request.headers.emplace_back("MCP-Protocol-Version", revision.get<std::string>());
      for (auto& header : mirroring_headers(message, mirrored_)) request.headers.push_back(std::move(header));
    } else {
      add_legacy_headers(request);
    }
    request.body = std::move(text);
    return request;
  }

  // Registers an exchange for kill() as long as it lives.
  struct Registered {
    HttpTransport& transport;
    PendingAnswerPtr pending;
    Registered(HttpTransport& owner, PendingAnswerPtr one) : transport(owner), pending(std::move(one)) {
      transport.open_.insert(pending);
    }
    Registered(const Registered&) = delete;
    Registered& operator=(const Registered&) = delete;
    ~Registered() { transport.open_.erase(pending); }
  };

  asio::awaitable<void> post(std::string text, json message, io::Clock::duration limit) {
    const auto self = shared_from_this();
    auto pending = std::make_shared<PendingAnswer>();
    const bool asks = message.contains("method") && message.contains("id");
    if (asks) pending->id = message["id"];
    const bool first = message.value("method", "") == "initialize";
    const Registered registered(*this, pending);
    const io::CancelScope scope(limit, pending->cancel);
    const bool had_session = !session_.empty();
    http::Request request = request_for(std::move(text), message);
    http::StreamEvents events = events_for(pending, first);
    Result<http::Response> ended = co_await exchange(http_, std::move(request), std::move(events), scope);
    if (over_ || pending->answered) co_return;
    if (pending->too_large) {
      events_.on_oversize(kMaxMessage);
      co_return;
    }
    if (!ended && !pending->events) {
      json hint = {{"hint", ended.error().hint}};
      answer_error(events_, pending->id, ended.error().message, 0, std::move(hint));
      co_return;
    }
    if (pending->events && pending->status < 300) {
      if (asks) co_await resume(pending);
      co_return;
    }
    finish(*pending, had_session, first);
  }

  http::StreamEvents events_for(const PendingAnswerPtr& pending, bool first) {
    http::StreamEvents events;
    const std::weak_ptr<HttpTransport> weak = weak_from_this();
    events.on_headers = [weak, pending, first](const http::Response& head) {
      pending->status = head.status;
      pending->events = head.status < 300 && is_event_stream(head);
      const auto self = weak.lock();
      if (self && first) self->keep_session(head.header("mcp-session-id"));
    };
    events.on_bytes = [weak, pending](std::string_view bytes) {
      const auto self = weak.lock();
      if (self && !self->over_) self->take(*pending, bytes);
    };
    return events;
  }

  void keep_session(const std::string& id) {
    const bool visible = std::ranges::all_of(id, [](char c) { return c > 0x20 && c < 0x7F; });
    if (visible && id.size() <= 1024) session_ = id;
  }

  void take(PendingAnswer& pending, std::string_view bytes) {
    if (pending.events) return take_events(pending, bytes);
    const std::size_t limit = pending.status < 300 ? kMaxMessage : kMaxErrorText;
    if (pending.body.size() + bytes.size() > limit) {
      if (pending.status < 300) {
        pending.too_large = true;
        pending.cancel->cancel();
      }
      return;
    }
    pending.body += bytes;
  }

  void take_events(PendingAnswer& pending, std::string_view bytes) {
    const auto self = shared_from_this();
    pending.parser.feed(bytes);
    const std::string before = pending.parser.last_id();
    for (;;) {
      auto event = pending.parser.next();
      if (pending.parser.take_oversize()) {
        events_.on_oversize(kMaxMessage);
        continue;
      }
      if (pending.parser.last_id() != before) pending.heard = true;  // events without data count, too
      if (!event) return;
      pending.heard = true;
      if (over_ || event->type != "message") continue;
      const json read = read_json(event->data);
      const bool response = read.is_object() && !read.contains("method") && !pending.id.is_null() &&
                            read.value("id", json()) == pending.id;
      if (response) pending.answered = true;
      if (!deliver(event->data, events_))
        log::warn("upstream {}: invalid message in an event: {}", http_->server.name,
                  printable(http_->server, event->data.substr(0, 200)));
    }
  }

  // Resumes a stream that ended before the response. If its events had ids, the rest can be fetched: servers
  // close streams to save connections, and tell with `retry` when to come back.
  asio::awaitable<void> resume(PendingAnswerPtr pending) {
    int empty = 0;
    while (!modern_ && !pending->answered && !over_ && !pending->parser.last_id().empty() &&
           empty < kMaxResumptions) {
      const io::CancelScope scope(io::kNoDeadline, pending->cancel);
      const auto pause = std::min(pending->parser.retry().value_or(kDefaultRetry), kMaxRetry);
      if (co_await io::sleep_for(pause, scope) == io::WaitStatus::Cancelled) co_return;
      pending->heard = false;
      http::Request request = get_request(pending->parser.last_id());
      http::StreamEvents events = events_for(pending, false);
      const auto ended = co_await exchange(http_, std::move(request), std::move(events), scope);
      if (ended && pending->status >= 400 && pending->status < 500) break;
      empty = pending->heard ? 0 : empty + 1;
    }
    if (!pending->answered && !over_)
      answer_error(events_, pending->id, "the connection ended before the answer was complete", 0);
  }

  http::Request get_request(const std::string& last_id) const {
    http::Request request;
    request.url = http_->server.url;
    request.headers = {{"Accept", "text/event-stream"}};
    add_legacy_headers(request);
    if (!last_id.empty()) request.headers.emplace_back("Last-Event-ID", last_id);
    return request;
  }

  // Handles an answer that is not a stream, or an HTTP error.
  void finish(PendingAnswer& pending, bool had_session, bool first) {
    const int status = pending.status;
    if (status < 300) {
      if (pending.id.is_null() && pending.body.empty()) return;
      if (pending.body.empty())
        return answer_error(events_, pending.id, "HTTP " + std::to_string(status) + " without an answer",
                            status);
      if (!deliver(pending.body, events_))
        answer_error(events_, pending.id, "its answer is not a JSON-RPC message", status);
      return;
    }
    if (status == 404 && had_session && !modern_ && !first) {
      json expired = {{"session_expired", true}};
      answer_error(events_, pending.id, "the session has expired", status, std::move(expired));
      if (std::exchange(over_, true)) return;
      const auto on_closed = events_.on_closed;
      kill();
      return on_closed(
          {ConnectionEnd::Kind::SessionExpired, "The session of " + http_->server.name + " has expired."});
    }
    const json body = read_json(pending.body);
    const json& error = member(body, "error");
    const bool rpc_error = member(error, "code").is_number_integer();
    // In a legacy server's answer to `initialize`, the status decides about the transport.
    if (rpc_error && !first && status != 401 && status != 403 && !pending.id.is_null()) {
      json response = {{"jsonrpc", "2.0"}, {"id", pending.id}, {"error", error}};
      if (deliver(response.dump(), events_)) return;
    }
    if (pending.id.is_null())
      log::warn("upstream {}: the server refused a notification: {}", http_->server.name,
                describe_status(status, pending.body, *http_));
    answer_error(events_, pending.id, describe_status(status, pending.body, *http_), status);
  }

  // Reads unsolicited messages. A server without such a stream answers 405.
  asio::awaitable<void> listen() {
    const auto self = shared_from_this();
    auto pending = std::make_shared<PendingAnswer>();
    const Registered registered(*this, pending);
    auto pause = kDefaultRetry;
    while (!over_) {
      const io::CancelScope scope(io::kNoDeadline, pending->cancel);
      pending->heard = false;
      pending->status = 0;
      http::Request request = get_request(pending->parser.last_id());
      http::StreamEvents events = events_for(pending, false);
      co_await exchange(http_, std::move(request), std::move(events), scope);
      if (over_ || (pending->status >= 400 && pending->status < 500) ||
          (pending->status >= 200 && pending->status < 300 && !pending->events))
        co_return;
      if (pending->heard) pause = kDefaultRetry;
      const auto wait = std::min(std::max(pending->parser.retry().value_or(pause), pause), kMaxRetry);
      if (co_await io::sleep_for(wait, scope) == io::WaitStatus::Cancelled) co_return;
      pause = std::min(2 * pause, kMaxRetry);
    }
  }

  std::shared_ptr<HttpContext> http_;
  Events events_;
  std::deque<std::pair<std::string, json>> queue_;
  bool sending_ = false;
  std::set<PendingAnswerPtr> open_;
  std::string session_;
  std::string revision_;
  bool modern_ = false;
  MirroredArguments mirrored_;
  bool over_ = false;
};

}  // namespace

std::shared_ptr<Transport> make_http_transport(asio::io_context& context, http::Client& client,
                                               std::shared_ptr<Authorization> authorization,
                                               const ServerConfig& server) {
  return std::make_shared<HttpTransport>(context, client, std::move(authorization), server);
}

TransportFactory make_transports(asio::io_context& context, http::Client& client,
                                 std::shared_ptr<Authorization> authorization) {
  return [&context, &client, authorization](const ServerConfig& server,
                                            TransportKind kind) -> std::shared_ptr<Transport> {
    switch (kind) {
      case TransportKind::Stdio:
        return make_stdio_transport(context, server);
      case TransportKind::Http:
        return make_http_transport(context, client, authorization, server);
      case TransportKind::Sse:
        return make_sse_transport(context, client, authorization, server);
    }
    return nullptr;
  };
}

}  // namespace leanbridge::upstream
