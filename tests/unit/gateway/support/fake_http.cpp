#include "fake_http.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <optional>

namespace leanbridge::test {

using asio::ip::tcp;
namespace ssl = asio::ssl;

namespace {

std::string of(const http::Headers& headers, const std::string& name) {
  for (const auto& [key, value] : headers)
    if (key == name) return value;
  return "";
}

HttpRequest parse_head(const std::string& head) {
  HttpRequest request;
  std::size_t at = head.find("\r\n");
  const std::string first = head.substr(0, at);
  request.method = first.substr(0, first.find(' '));
  const std::size_t target = request.method.size() + 1;
  request.target = first.substr(target, first.find(' ', target) - target);
  while (at + 2 < head.size()) {
    const std::size_t begin = at + 2;
    at = head.find("\r\n", begin);
    const std::size_t colon = head.find(':', begin);
    if (at == std::string::npos || colon > at) break;
    std::string name = head.substr(begin, colon - begin);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    const std::size_t value = head.find_first_not_of(' ', colon + 1);
    request.headers.emplace_back(name, value < at ? head.substr(value, at - value) : "");
  }
  return request;
}

// Empty at the end of the connection, or if it is broken.
template <class Stream>
asio::awaitable<std::optional<HttpRequest>> read_request(Stream& stream, std::string& buffer) {
  boost::system::error_code error;
  const std::size_t head = co_await asio::async_read_until(stream, asio::dynamic_buffer(buffer), "\r\n\r\n",
                                                           asio::redirect_error(asio::use_awaitable, error));
  if (error) co_return std::nullopt;
  HttpRequest request = parse_head(buffer.substr(0, head));
  buffer.erase(0, head);
  const std::string length = of(request.headers, "content-length");
  const std::size_t size = length.empty() ? 0 : std::stoul(length);
  while (buffer.size() < size) {
    std::string more(size - buffer.size(), '\0');
    const std::size_t count =
        co_await stream.async_read_some(asio::buffer(more), asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return std::nullopt;
    buffer.append(more, 0, count);
  }
  request.body = buffer.substr(0, size);
  buffer.erase(0, size);
  co_return request;
}

template <class Stream>
asio::awaitable<void> wait_for_the_end(Stream& stream) {
  boost::system::error_code error;
  std::string ignored(4096, '\0');
  while (!error)
    co_await stream.async_read_some(asio::buffer(ignored), asio::redirect_error(asio::use_awaitable, error));
}

// False: the connection must not be used again.
template <class Stream>
asio::awaitable<bool> write_reply(Stream& stream, HttpReply reply) {
  if (reply.silent) co_return false;
  std::string head = "HTTP/1.1 " + std::to_string(reply.status) +
                     " X\r\nContent-Length: " + std::to_string(reply.body.size() + reply.filler) + "\r\n";
  for (const auto& [name, value] : reply.headers) head += name + ": " + value + "\r\n";
  const bool whole = reply.fault == HttpReply::Fault::None;
  std::string bytes = head + "\r\n" + reply.body.substr(0, whole ? std::string::npos : reply.sent);
  boost::system::error_code error;
  co_await asio::async_write(stream, asio::buffer(bytes), asio::redirect_error(asio::use_awaitable, error));
  if (reply.fault == HttpReply::Fault::Cut) co_return false;
  if (reply.fault == HttpReply::Fault::Hang) {
    co_await wait_for_the_end(stream);
    co_return false;
  }
  const std::string block(64u << 10, 'x');
  for (std::size_t left = reply.filler; left > 0 && !error;) {
    const std::size_t size = std::min(left, block.size());
    co_await asio::async_write(stream, asio::buffer(block.data(), size),
                               asio::redirect_error(asio::use_awaitable, error));
    left -= size;
  }
  co_return !error;
}

}  // namespace

struct FakeHttp::State {
  State(asio::io_context& context, bool with_tls)
      : acceptor(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)), secure(with_tls) {}

  tcp::acceptor acceptor;
  bool secure;
  ssl::context tls{ssl::context::tls_server};
  Handler handler = [](const HttpRequest&) { return HttpReply(); };
  std::vector<HttpRequest> requests;
  std::size_t connections = 0;
  std::size_t disconnections = 0;

  template <class Stream>
  static asio::awaitable<void> serve(std::shared_ptr<State> state, Stream& stream) {
    std::string buffer;
    for (bool usable = true; usable;) {
      auto request = co_await read_request(stream, buffer);
      if (!request) break;
      state->requests.push_back(*request);
      HttpReply reply = state->handler(*request);
      usable = co_await write_reply(stream, std::move(reply));
    }
    ++state->disconnections;
  }
  static asio::awaitable<void> connection(std::shared_ptr<State> state, tcp::socket socket) {
    ++state->connections;
    if (!state->secure) {
      co_await serve(state, socket);
      co_return;
    }
    ssl::stream<tcp::socket> stream(std::move(socket), state->tls);
    boost::system::error_code error;
    co_await stream.async_handshake(ssl::stream_base::server,
                                    asio::redirect_error(asio::use_awaitable, error));
    if (!error) co_await serve(state, stream);
  }
  static asio::awaitable<void> accept(std::shared_ptr<State> state) {
    boost::system::error_code error;
    for (;;) {
      auto socket = co_await state->acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
      if (error) co_return;
      auto executor = state->acceptor.get_executor();
      asio::co_spawn(executor, connection(state, std::move(socket)), asio::detached);
    }
  }
};

std::string HttpRequest::header(const std::string& name) const {
  return of(headers, name);
}

FakeHttp::FakeHttp(asio::io_context& context, const std::string& certificate, const std::string& key)
    : state_(std::make_shared<State>(context, !certificate.empty())) {
  if (state_->secure) {
    state_->tls.use_certificate_chain_file(certificate);
    state_->tls.use_private_key_file(key, ssl::context::pem);
  }
  asio::co_spawn(context, State::accept(state_), asio::detached);
}

FakeHttp::~FakeHttp() {
  boost::system::error_code ignored;
  state_->acceptor.close(ignored);
  state_->handler = [](const HttpRequest&) { return HttpReply(); };  // releases what it captured
}

std::string FakeHttp::url() const {
  return (state_->secure ? "https://127.0.0.1:" : "http://127.0.0.1:") +
         std::to_string(state_->acceptor.local_endpoint().port());
}
void FakeHttp::on_request(Handler handler) {
  state_->handler = std::move(handler);
}
void FakeHttp::answer(HttpReply reply) {
  state_->handler = [reply](const HttpRequest&) { return reply; };
}
const std::vector<HttpRequest>& FakeHttp::requests() const {
  return state_->requests;
}
std::size_t FakeHttp::connections() const {
  return state_->connections;
}
std::size_t FakeHttp::disconnections() const {
  return state_->disconnections;
}

std::string url_of_nobody() {
  asio::io_context context;
  tcp::acceptor acceptor(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  return "http://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port());
}

NoProxies::NoProxies() {
  for (const char* name :
       {"http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY", "no_proxy", "NO_PROXY"})
    unset_.emplace_back(name, std::nullopt);
}

}  // namespace leanbridge::test
