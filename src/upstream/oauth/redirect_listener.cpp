#include "redirect_listener.hpp"

#include "leanbridge/base/ascii.hpp"

#include "pkce.hpp"
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>

namespace leanbridge::upstream {

using asio::ip::tcp;

namespace {

constexpr std::size_t kMaxHead = 16u << 10;
constexpr int kMaxConnections = 16;  // at once
constexpr auto kConnectionLimit = std::chrono::seconds(10);

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char low = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

std::optional<std::string> decode(const std::string& text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      const int high = i + 2 < text.size() ? digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return decoded;
}

// nullopt if malformed, for example if a parameter is repeated.
std::optional<RedirectParameters> parameters_of(const std::string& query) {
  RedirectParameters parameters;
  std::istringstream parts(query);
  for (std::string part; std::getline(parts, part, '&');) {
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    const auto name = decode(part.substr(0, equals));
    const auto value = decode(equals == std::string::npos ? "" : part.substr(equals + 1));
    if (!name || !value || !parameters.emplace(*name, *value).second) return std::nullopt;
  }
  return parameters;
}

std::string header_of(const std::string& head, const std::string& lower_case_name) {
  std::istringstream lines(head);
  std::string line, value;
  std::getline(lines, line);  // the request line
  int seen = 0;
  while (std::getline(lines, line)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || lower_case(line.substr(0, colon)) != lower_case_name) continue;
    value = line.substr(colon + 1);
    ++seen;
  }
  while (!value.empty() && std::isspace(static_cast<unsigned char>(value.back()))) value.pop_back();
  while (!value.empty() && std::isspace(static_cast<unsigned char>(value.front()))) value.erase(0, 1);
  return seen == 1 ? value : "";
}

// Repeats nothing of the request.
std::string reply(int status) {
  const std::string text =
      status == 200 ? "leanbridge has received the answer. Close this page and return to the terminal."
                    : "leanbridge only accepts the answer of an authorization server here.";
  return "HTTP/1.1 " + std::to_string(status) + (status == 200 ? " OK" : " Refused") +
         "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " + std::to_string(text.size()) +
         "\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff"
         "\r\nConnection: close\r\n\r\n" +
         text;
}

class Listener : public RedirectListener, public std::enable_shared_from_this<Listener> {
 public:
  explicit Listener(asio::io_context& context) : context_(context), acceptor_(context) {}

  boost::system::error_code listen(unsigned short port) {
    boost::system::error_code error;
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
    acceptor_.open(endpoint.protocol(), error);
    // Needed for a free port, too: otherwise the next login could not reuse it while closed connections
    // linger.
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(kMaxConnections, error);
    if (!error) port_ = acceptor_.local_endpoint(error).port();
    return error;
  }

  std::string redirect_uri() const override {
    return "http://127.0.0.1:" + std::to_string(port_) + "/callback";
  }

  asio::awaitable<Result<RedirectParameters>> answer(std::string state, io::CancelScope scope) override {
    const auto self = shared_from_this();
    state_ = std::move(state);
    io::spawn(context_, accept_all(self));
    const io::WaitStatus end =
        co_await io::wait_until(changed_, scope, [this] { return answer_.has_value(); });
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    if (end == io::WaitStatus::Ready) co_return std::move(*answer_);
    if (end == io::WaitStatus::Cancelled) co_return fail(ErrorKind::Cancelled, "The login was interrupted.");
    co_return fail(ErrorKind::Timeout, "Nobody answered in the browser in time.", "Log in again.");
  }

 private:
  static asio::awaitable<void> accept_all(std::shared_ptr<Listener> self) {
    for (;;) {
      boost::system::error_code error;
      tcp::socket accepted =
          co_await self->acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, error));
      if (error || !self->acceptor_.is_open()) co_return;
      auto socket = std::make_shared<tcp::socket>(std::move(accepted));
      if (self->open_ < kMaxConnections) io::spawn(self->context_, serve(self, socket));
    }
  }

  static asio::awaitable<void> end_in_time(std::shared_ptr<tcp::socket> socket,
                                           std::shared_ptr<asio::steady_timer> timer) {
    boost::system::error_code error;
    co_await timer->async_wait(asio::redirect_error(asio::use_awaitable, error));
    boost::system::error_code ignored;
    if (!error) socket->close(ignored);
  }

  static asio::awaitable<void> serve(std::shared_ptr<Listener> self, std::shared_ptr<tcp::socket> socket) {
    ++self->open_;
    auto timer = std::make_shared<asio::steady_timer>(self->context_, kConnectionLimit);
    io::spawn(self->context_, end_in_time(socket, timer));
    std::string head;
    boost::system::error_code error;
    while (!error && head.size() < kMaxHead && head.find("\r\n\r\n") == std::string::npos) {
      char bytes[2048];
      const std::size_t count = co_await socket->async_read_some(
          asio::buffer(bytes), asio::redirect_error(asio::use_awaitable, error));
      head.append(bytes, count);
    }
    const std::size_t end = head.find("\r\n\r\n");
    auto read = end == std::string::npos ? tl::expected<RedirectParameters, int>(tl::unexpect, 400)
                                         : read_redirect(head.substr(0, end), self->port_, self->state_);
    if (!error) {
      const std::string text = reply(read ? 200 : read.error());
      co_await asio::async_write(*socket, asio::buffer(text),
                                 asio::redirect_error(asio::use_awaitable, error));
      boost::system::error_code ignored;
      socket->shutdown(tcp::socket::shutdown_send, ignored);
    }
    timer->cancel();
    --self->open_;
    if (read && !self->answer_) {
      self->answer_ = std::move(*read);
      self->changed_.notify_all();
    }
  }

  asio::io_context& context_;
  tcp::acceptor acceptor_;
  unsigned short port_ = 0;
  std::string state_;
  int open_ = 0;
  std::optional<RedirectParameters> answer_;
  io::Condition changed_;
};

}  // namespace

tl::expected<RedirectParameters, int> read_redirect(const std::string& head, unsigned short port,
                                                    const std::string& state) {
  std::istringstream line(head.substr(0, head.find("\r\n")));
  std::string method, target, version, more;
  line >> method >> target >> version;
  if (!version.starts_with("HTTP/1.") || line >> more) return tl::unexpected(400);
  // A page in the user's browser can reach this port under its own host name, which Host then shows.
  const std::string host = lower_case(header_of(head, "host")), number = std::to_string(port);
  if (host != "127.0.0.1:" + number && host != "localhost:" + number) return tl::unexpected(400);
  if (method != "GET") return tl::unexpected(405);
  const std::size_t query = target.find('?');
  if (target.substr(0, query) != "/callback" || query == std::string::npos) return tl::unexpected(404);
  auto parameters = parameters_of(target.substr(query + 1));
  if (!parameters || state.empty() || !equal_secrets((*parameters)["state"], state))
    return tl::unexpected(400);
  return std::move(*parameters);
}

Result<std::shared_ptr<RedirectListener>> RedirectListener::open(asio::io_context& context,
                                                                 unsigned short port) {
  auto listener = std::make_shared<Listener>(context);
  if (const auto error = listener->listen(port))
    return fail(
        ErrorKind::Internal,
        "Cannot open a port on 127.0.0.1 for the browser's answer: " + error.message() + ".",
        port == 0 ? "Check what prevents programs from listening." : "Stop the program that uses that port.");
  return std::shared_ptr<RedirectListener>(std::move(listener));
}

}  // namespace leanbridge::upstream
