// HTTP+SSE of 2024-11-05: one stream from the server, which first names the address for messages. Messages
// are POSTs whose answers only acknowledge them. The end of the stream ends the connection.

#include "authorized_request.hpp"
#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "incoming.hpp"
#include "sse_parser.hpp"

#include <deque>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

constexpr auto kPostLimit = std::chrono::seconds(30);

class SseTransport : public Transport, public std::enable_shared_from_this<SseTransport> {
 public:
  SseTransport(asio::io_context& context, http::Client& client, std::shared_ptr<Authorization> authorization,
               ServerConfig server)
      : http_(std::make_shared<HttpContext>(
            HttpContext{context, client, std::move(authorization), std::move(server)})) {}

  Result<void> open(Events events) override {
    if (auto valid = check_url(http_->server); !valid) return valid;
    events_ = std::move(events);
    io::spawn(http_->loop, listen());
    return {};
  }

  void send(std::string message) override {
    if (over_ || queue_.size() >= kMaxQueued) return;
    queue_.push_back(std::move(message));
    start_sending();
  }

  asio::awaitable<void> close(io::Clock::duration) override {
    kill();
    co_return;
  }
  void kill() override {
    over_ = true;
    cancel_->cancel();
  }
  std::string problem() const override {
    return http_->authorization ? http_->authorization->problem(http_->server) : "";
  }

 private:
  struct Heard {
    int status = 0;
    std::string text;  // for an answer that is not a stream
  };

  asio::awaitable<void> listen() {
    const auto self = shared_from_this();
    http::Request request;
    request.url = http_->server.url;
    request.headers = {{"Accept", "text/event-stream"}};
    auto heard = std::make_shared<Heard>();
    http::StreamEvents events;
    events.on_headers = [heard](const http::Response& head) { heard->status = head.status; };
    events.on_bytes = [heard, weak = weak_from_this()](std::string_view bytes) {
      const auto here = weak.lock();
      if (here && !here->over_ && heard->status < 300)
        here->take(bytes);
      else if (heard->text.size() < kMaxErrorText)
        heard->text += bytes;
    };
    const io::CancelScope scope(io::kNoDeadline, cancel_);
    const auto ended = co_await exchange(http_, std::move(request), std::move(events), scope);
    const std::string name = "The server " + http_->server.name;
    if (!ended && endpoint_.empty())
      end({ConnectionEnd::Kind::Unreachable, name + " cannot be reached: " + ended.error().message});
    else if (heard->status >= 300)
      end({ConnectionEnd::Kind::Unreachable,
           name + " answered with " + describe_status(heard->status, heard->text, *http_) + "."});
    else
      end({ConnectionEnd::Kind::Exited, name + " ended the stream."});
  }

  void take(std::string_view bytes) {
    const auto self = shared_from_this();
    parser_.feed(bytes);
    for (;;) {
      auto event = parser_.next();
      if (parser_.take_oversize()) {
        events_.on_oversize(kMaxMessage);
        continue;
      }
      if (!event || over_) return;
      if (event->type == "endpoint" && endpoint_.empty()) {
        auto endpoint = resolve_endpoint(http_->server.url, event->data);
        if (!endpoint)
          return end({ConnectionEnd::Kind::Broken,
                      "The server " + http_->server.name + ": " + endpoint.error().message});
        endpoint_ = std::move(*endpoint);
        start_sending();
      } else if (event->type == "message" && !deliver(event->data, events_)) {
        log::warn("upstream {}: invalid message in an event: {}", http_->server.name,
                  printable(http_->server, event->data.substr(0, 200)));
      }
    }
  }

  void start_sending() {
    if (!endpoint_.empty() && !std::exchange(sending_, true)) io::spawn(http_->loop, send_all());
  }

  // Sends one message at a time: answers are acknowledgements, and messages stay in order.
  asio::awaitable<void> send_all() {
    const auto self = shared_from_this();
    while (!queue_.empty() && !over_) {
      const std::string text = std::move(queue_.front());
      queue_.pop_front();
      http::Request request;
      request.method = "POST";
      request.url = endpoint_;
      request.headers = {{"Content-Type", "application/json"}};
      request.body = text;
      auto heard = std::make_shared<Heard>();
      http::StreamEvents events;
      events.on_headers = [heard](const http::Response& head) { heard->status = head.status; };
      events.on_bytes = [heard](std::string_view bytes) {
        if (heard->text.size() < kMaxErrorText) heard->text += bytes;
      };
      const io::CancelScope scope(kPostLimit, cancel_);
      const auto taken = co_await exchange(http_, std::move(request), std::move(events), scope);
      if (over_) co_return;
      if (taken && heard->status < 300) continue;
      const json message = read_json(text);
      const json id = message.contains("method") ? message.value("id", json()) : json();
      answer_error(events_, id,
                   taken ? describe_status(heard->status, heard->text, *http_) : taken.error().message,
                   heard->status);
    }
    sending_ = false;
  }

  void end(ConnectionEnd why) {
    if (std::exchange(over_, true)) return;
    cancel_->cancel();
    const auto on_closed = events_.on_closed;
    on_closed(std::move(why));
  }

  std::shared_ptr<HttpContext> http_;
  Events events_;
  SseParser parser_{kMaxMessage};
  std::string endpoint_;
  std::deque<std::string> queue_;
  bool sending_ = false;
  bool over_ = false;
  std::shared_ptr<io::CancelSource> cancel_ = std::make_shared<io::CancelSource>();
};

}  // namespace

std::shared_ptr<Transport> make_sse_transport(asio::io_context& context, http::Client& client,
                                              std::shared_ptr<Authorization> authorization,
                                              const ServerConfig& server) {
  return std::make_shared<SseTransport>(context, client, std::move(authorization), server);
}

}  // namespace leanbridge::upstream
