// The only file that includes Beast: it costs some ten seconds to compile.
#include "connection.hpp"

#include "core/base/ascii.hpp"
#include "core/base/log.hpp"
#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <sys/socket.h>

#include <cerrno>
#include <exception>
#include <optional>

namespace leanbridge::http {

namespace beast = boost::beast;
using Socket = asio::generic::stream_protocol::socket;
using BeastParser = beast::http::request_parser<beast::http::string_body>;
using BeastResponse = beast::http::response<beast::http::string_body>;
using boost::system::error_code;

namespace {

constexpr unsigned kHttp11 = 11;
constexpr auto kDiscardLimit = std::chrono::seconds(1);
constexpr std::size_t kDiscardStep = 16u << 10;   // bytes
constexpr std::size_t kMaxDiscarded = 16u << 20;  // bytes

double milliseconds(io::Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

std::string text_of(beast::string_view text) {
  return {text.data(), text.size()};
}

IncomingRequest head_of(const BeastParser& parser, const std::string& client) {
  IncomingRequest head;
  const auto& message = parser.get();
  head.method = text_of(message.method_string());
  head.target = text_of(message.target());
  for (const auto& field : message)
    head.fields.emplace_back(lower_case(text_of(field.name_string())), text_of(field.value()));
  head.client = client;
  return head;
}

OutgoingResponse plain(int status, std::string text) {
  return {.status = status, .fields = {{"content-type", "text/plain"}}, .body = text + "\n", .close = true};
}

// The answer to a request that the parser refused.
OutgoingResponse refusal(const error_code& problem) {
  if (problem == beast::http::error::header_limit) return plain(431, "The request's head is too long.");
  if (problem == beast::http::error::body_limit) return plain(413, "The request's body is too long.");
  return plain(400, "This is not a valid HTTP request.");
}

class BeastConnection final : public Connection, public std::enable_shared_from_this<BeastConnection> {
 public:
  BeastConnection(asio::io_context& context, Socket socket, std::string client, const ServerLimits& limits,
                  std::shared_ptr<BodyBudget> bodies, std::shared_ptr<const ServerHandlers> handlers,
                  std::function<void()> on_end)
      : context_(context),
        socket_(std::move(socket)),
        deadline_(context),
        client_(std::move(client)),
        limits_(limits),
        bodies_(std::move(bodies)),
        handlers_(std::move(handlers)),
        on_end_(std::move(on_end)) {}

  void start() { io::spawn(context_, serve_all(shared_from_this())); }

  void drain() override {
    draining_ = true;
    if (!exchange_) close();
  }

  void close() override {
    error_code ignored;
    deadline_.cancel();
    if (socket_.is_open()) socket_.shutdown(Socket::shutdown_both, ignored);
    socket_.close(ignored);
    if (const auto exchange = exchange_) exchange->client_gone();
  }

 private:
  // Static, so that the frame keeps the connection alive.
  static asio::awaitable<void> serve_all(std::shared_ptr<BeastConnection> self) {
    try {
      while (self->socket_.is_open() && !self->draining_)
        if (!co_await self->serve_one()) break;
    } catch (const std::exception& error) {
      log::error("A request of {} failed: {}", self->client_, error.what());
    }
    self->close();
    if (const auto told = std::exchange(self->on_end_, nullptr)) told();
  }

  // Returns false if the connection is to be closed.
  asio::awaitable<bool> serve_one() {
    error_code error;
    within(limits_.idle_limit);
    // An idle connection holds no parser and hardly any buffer.
    if (buffer_.size() == 0) {
      buffer_.shrink_to_fit();
      co_await socket_.async_wait(Socket::wait_read, asio::redirect_error(asio::use_awaitable, error));
    }
    if (error) co_return false;
    BeastParser parser;
    parser.header_limit(static_cast<std::uint32_t>(limits_.max_head));
    parser.body_limit(limits_.max_body);
    within(limits_.head_limit);
    co_await beast::http::async_read_header(socket_, buffer_, parser,
                                            asio::redirect_error(asio::use_awaitable, error));
    if (error) {
      if (error != beast::http::error::end_of_stream && socket_.is_open())
        if (co_await write_whole(refusal(error), false)) co_await discard_rest();
      co_return false;
    }
    const auto began = io::Clock::now();
    IncomingRequest head = head_of(parser, client_);
    const bool is_http_1_1 = parser.get().version() == kHttp11;
    const bool is_head = head.method == "HEAD";
    std::optional<OutgoingResponse> refused;
    if (const auto problem = framing_problem(head, is_http_1_1)) refused = plain(400, *problem);
    if (!refused && handlers_->check) refused = handlers_->check(head);
    if (!refused) refused = take_share(head, parser);
    if (refused) {
      refused->close = true;  // its body will not be read
      if (co_await write_whole(*refused, is_head)) co_await discard_rest();
      report({head, refused->status, refused->body.size(), milliseconds(io::Clock::now() - began)});
      co_return false;
    }
    within(limits_.body_limit);
    if (const auto expected = head.field("expect"); expected && lower_case(*expected) == "100-continue") {
      constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
      co_await asio::async_write(socket_, asio::buffer(kContinue),
                                 asio::redirect_error(asio::use_awaitable, error));
      if (error) co_return false;
    }
    co_await beast::http::async_read(socket_, buffer_, parser,
                                     asio::redirect_error(asio::use_awaitable, error));
    if (error) {
      if (socket_.is_open() && co_await write_whole(refusal(error), false)) co_await discard_rest();
      co_return false;
    }
    keep_alive_ = parser.get().keep_alive();
    head.body = std::move(parser.get().body());
    co_return co_await answer(std::make_shared<Exchange>(std::move(head), limits_.max_queued), began,
                              is_http_1_1, is_head);
  }

  // A body is held in memory from its first byte on, so it counts before it is read.
  std::optional<OutgoingResponse> take_share(IncomingRequest& head, const BeastParser& parser) {
    const auto length = parser.content_length();
    const std::size_t bytes =
        length ? static_cast<std::size_t>(std::min<std::uint64_t>(*length, limits_.max_body + 1))
               : (parser.chunked() ? limits_.max_body : 0);
    if (bytes == 0 || bytes > limits_.max_body)
      return std::nullopt;  // the parser refuses a body that is too
                            // long
    const std::string client = handlers_->client_of ? handlers_->client_of(head) : client_;
    const auto taken = bodies_->take(client, bytes, head.body_share);
    if (taken == BodyBudget::Taken::Yes) return std::nullopt;
    const bool own = taken == BodyBudget::Taken::TooMuchForClient;
    OutgoingResponse response =
        plain(own ? 429 : 503, own ? "You have too many bytes of requests in progress."
                                   : "Too many bytes of requests are in progress.");
    response.fields.emplace_back("retry-after", "1");
    return response;
  }

  // A connection that is closed while bytes of the client are unread is reset, and the client may never see
  // the reason for the refusal.
  asio::awaitable<void> discard_rest() {
    error_code error;
    socket_.shutdown(Socket::shutdown_send, error);
    within(kDiscardLimit);
    std::string bytes(kDiscardStep, '\0');
    for (std::size_t total = 0; !error && total < kMaxDiscarded;)
      total += co_await socket_.async_read_some(asio::buffer(bytes),
                                                asio::redirect_error(asio::use_awaitable, error));
  }

  asio::awaitable<bool> answer(std::shared_ptr<Exchange> exchange, io::Clock::time_point began,
                               bool is_http_1_1, bool is_head) {
    without_limit();
    exchange_ = exchange;
    if (buffer_.size() == 0) io::spawn(context_, watch_for_end(shared_from_this(), exchange));
    handlers_->handle(exchange);
    // Calls have deadlines of their own; this one only ends a forgotten exchange.
    const io::CancelScope forgotten(std::chrono::hours(48));
    co_await io::wait_until(exchange->changed(), forgotten,
                            [&] { return exchange->closed() || exchange->begun(); });
    std::size_t bytes = 0;
    bool intact = exchange->begun() && !exchange->closed();
    if (intact) {
      OutgoingResponse& head = *exchange->head();
      if (!exchange->in_parts()) {
        bytes = head.body.size();
        intact = co_await write_whole(head, is_head);
      } else {
        intact = co_await write_parts(*exchange, is_http_1_1, is_head, bytes);
      }
    }
    const bool close_after = !keep_alive_ || draining_ || !exchange->begun() || exchange->head()->close ||
                             (exchange->in_parts() && !is_http_1_1);
    if (!intact) exchange->client_gone();
    exchange_ = nullptr;
    report({exchange->request(), exchange->begun() ? exchange->head()->status : 0, bytes,
            milliseconds(io::Clock::now() - began)});
    error_code ignored;
    if (intact && !close_after) socket_.cancel(ignored);  // ends watch_for_end()
    co_return intact && !close_after;
  }

  BeastResponse beast_head(const OutgoingResponse& response) const {
    BeastResponse head(static_cast<beast::http::status>(response.status), kHttp11);
    for (const auto& [name, value] : response.fields) head.insert(name, value);
    head.keep_alive(keep_alive_ && !draining_ && !response.close);
    return head;
  }

  asio::awaitable<bool> write_whole(const OutgoingResponse& response, bool is_head) {
    BeastResponse whole = beast_head(response);
    error_code error;
    within(limits_.write_limit);
    const bool has_body = response.status != 204 && response.status != 304;
    if (has_body) whole.content_length(response.body.size());
    if (has_body && !is_head) whole.body() = response.body;
    beast::http::response_serializer<beast::http::string_body> serializer(whole);
    serializer.split(is_head);
    if (is_head)
      co_await beast::http::async_write_header(socket_, serializer,
                                               asio::redirect_error(asio::use_awaitable, error));
    else
      co_await beast::http::async_write(socket_, serializer,
                                        asio::redirect_error(asio::use_awaitable, error));
    co_return !error;
  }

  // The time limit applies to each part: a stream may last for hours.
  asio::awaitable<bool> write_parts(Exchange& exchange, bool is_http_1_1, bool is_head, std::size_t& bytes) {
    BeastResponse head = beast_head(*exchange.head());
    head.chunked(is_http_1_1);
    if (!is_http_1_1) head.keep_alive(false);
    beast::http::response_serializer<beast::http::string_body> serializer(head);
    serializer.split(true);
    error_code error;
    within(limits_.write_limit);
    co_await beast::http::async_write_header(socket_, serializer,
                                             asio::redirect_error(asio::use_awaitable, error));
    without_limit();
    while (!error && !is_head) {
      const io::CancelScope forgotten(std::chrono::hours(48));
      co_await io::wait_until(exchange.changed(), forgotten,
                              [&] { return exchange.closed() || exchange.ended() || exchange.has_part(); });
      if (exchange.closed()) co_return false;
      if (!exchange.has_part()) break;
      const std::string part = exchange.take_part();
      if (part.empty()) continue;  // an empty chunk would be the end
      bytes += part.size();
      within(limits_.write_limit);
      if (is_http_1_1)
        co_await asio::async_write(socket_, beast::http::make_chunk(asio::buffer(part)),
                                   asio::redirect_error(asio::use_awaitable, error));
      else
        co_await asio::async_write(socket_, asio::buffer(part),
                                   asio::redirect_error(asio::use_awaitable, error));
      without_limit();
    }
    if (error || is_head || !is_http_1_1) co_return !error;
    within(limits_.write_limit);
    co_await asio::async_write(socket_, beast::http::make_chunk_last(),
                               asio::redirect_error(asio::use_awaitable, error));
    co_return !error;
  }

  // Tells the exchange if the client goes away before it has its answer. A client that has sent its next
  // request already is not watched: only a failed write shows that it is gone.
  static asio::awaitable<void> watch_for_end(std::shared_ptr<BeastConnection> self,
                                             std::shared_ptr<Exchange> exchange) {
    error_code error;
    co_await self->socket_.async_wait(Socket::wait_read, asio::redirect_error(asio::use_awaitable, error));
    if (error || self->exchange_ != exchange) co_return;
    char byte = 0;
    const ssize_t seen = ::recv(self->socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (seen == 0 || (seen < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
      exchange->client_gone();
  }

  // Closes the connection when the time is up, which ends the present read or write.
  void within(io::Clock::duration limit) {
    deadline_.expires_after(limit);
    // A timer that has expired cannot be cancelled any more, hence the number.
    deadline_.async_wait([weak = weak_from_this(), number = ++waits_](const error_code& error) {
      const auto self = weak.lock();
      if (!error && self && self->waits_ == number) self->close();
    });
  }
  void without_limit() {
    ++waits_;
    deadline_.cancel();
  }

  void report(const AccessRecord& record) const {
    if (handlers_->log) handlers_->log(record);
  }

  asio::io_context& context_;
  Socket socket_;
  io::Timer deadline_;
  std::uint64_t waits_ = 0;
  std::string client_;
  ServerLimits limits_;
  std::shared_ptr<BodyBudget> bodies_;
  std::shared_ptr<const ServerHandlers> handlers_;
  std::function<void()> on_end_;
  beast::flat_buffer buffer_;
  std::shared_ptr<Exchange> exchange_;  // the present one
  bool keep_alive_ = false;
  bool draining_ = false;
};

}  // namespace

std::shared_ptr<Connection> serve_connection(asio::io_context& context, Descriptor socket, std::string client,
                                             const ServerLimits& limits, std::shared_ptr<BodyBudget> bodies,
                                             std::shared_ptr<const ServerHandlers> handlers,
                                             std::function<void()> on_end) {
  sockaddr_storage name{};
  socklen_t length = sizeof name;
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&name), &length);
  Socket taken(context);
  error_code error;
  taken.assign(asio::generic::stream_protocol(name.ss_family, 0), socket.get(), error);
  if (error) return nullptr;
  socket.release();
  taken.non_blocking(true, error);
  auto connection =
      std::make_shared<BeastConnection>(context, std::move(taken), std::move(client), limits,
                                        std::move(bodies), std::move(handlers), std::move(on_end));
  connection->start();
  return connection;
}

}  // namespace leanbridge::http
