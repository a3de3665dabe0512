#include "redirect_listener.hpp"

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/base/secret.hpp"
#include "leanbridge/base/try.hpp"

#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>

namespace leanbridge::upstream {

namespace {

constexpr std::string_view kPath = "/callback";

std::optional<std::string> decode(std::string_view text) {
  std::string decoded;
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text[0] != '%') {
      decoded += text[0] == '+' ? ' ' : text[0];
      continue;
    }
    unsigned char byte = 0;
    const std::string_view digits = text.substr(1, 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (error != std::errc() || end != digits.data() + 2) return std::nullopt;
    decoded += static_cast<char>(byte);
    text.remove_prefix(2);
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

http::ServerLimits limits() {
  http::ServerLimits limits;
  limits.max_connections = limits.max_client_connections = 16;
  limits.max_body = limits.max_bodies = limits.max_client_bodies = 1024;
  return limits;
}

// Repeats nothing of the request.
http::OutgoingResponse reply(int status) {
  http::OutgoingResponse response;
  response.status = status;
  response.fields = {{"Content-Type", "text/plain; charset=utf-8"},
                     {"Cache-Control", "no-store"},
                     {"Referrer-Policy", "no-referrer"},
                     {"X-Content-Type-Options", "nosniff"}};
  response.body = status == 200
                      ? "leanbridge has received the answer. Close this page and return to the terminal."
                      : "leanbridge only accepts the answer of an authorization server here.";
  response.close = true;
  return response;
}

class Listener : public RedirectListener, public std::enable_shared_from_this<Listener> {
 public:
  ~Listener() override {
    if (server_) server_->drain();
  }

  Result<void> listen(asio::io_context& context, unsigned short port) {
    http::ServerHandlers handlers;
    handlers.handle = [weak = weak_from_this()](const std::shared_ptr<http::Exchange>& exchange) {
      const auto self = weak.lock();
      exchange->respond(reply(self ? self->take(exchange->request()) : 400));
    };
    TRY(server_, http::Server::listen(context, {.host = "127.0.0.1", .port = port, .path = {}}, limits(),
                                      std::move(handlers)));
    return {};
  }

  std::string redirect_uri() const override { return server_->url() + std::string(kPath); }

  asio::awaitable<Result<RedirectParameters>> answer(std::string state, io::CancelScope scope) override {
    const auto self = shared_from_this();
    state_ = std::move(state);
    const io::WaitStatus end =
        co_await io::wait_until(changed_, scope, [this] { return answer_.has_value(); });
    server_->drain();
    if (end == io::WaitStatus::Ready) co_return std::move(*answer_);
    if (end == io::WaitStatus::Cancelled) co_return fail(ErrorKind::Cancelled, "The login was interrupted.");
    co_return fail(ErrorKind::Timeout, "Nobody answered in the browser in time.", "Log in again.");
  }

 private:
  // Returns the status to answer with.
  int take(const http::IncomingRequest& request) {
    auto read =
        read_redirect(request, server_->url().substr(std::string_view("http://127.0.0.1:").size()), state_);
    if (!read) return read.error();
    if (!answer_) answer_ = std::move(*read);
    changed_.notify_all();
    return 200;
  }

  std::shared_ptr<http::Server> server_;
  std::string state_;  // empty: the answer is not expected yet
  std::optional<RedirectParameters> answer_;
  io::Condition changed_;
};

}  // namespace

tl::expected<RedirectParameters, int> read_redirect(const http::IncomingRequest& request,
                                                    const std::string& port, const std::string& state) {
  // A page in the user's browser can reach this port under its own host name, which Host then shows.
  const std::string host = lower_case(request.field("host").value_or(""));
  if (request.count("host") != 1 || (host != "127.0.0.1:" + port && host != "localhost:" + port))
    return tl::unexpected(400);
  if (request.method != "GET") return tl::unexpected(405);
  const std::size_t query = request.target.find('?');
  if (request.path() != kPath || query == std::string::npos) return tl::unexpected(404);
  auto parameters = parameters_of(request.target.substr(query + 1));
  if (!parameters || state.empty() || !equal_secrets((*parameters)["state"], state))
    return tl::unexpected(400);
  return std::move(*parameters);
}

Result<std::shared_ptr<RedirectListener>> RedirectListener::open(asio::io_context& context,
                                                                 unsigned short port) {
  auto listener = std::make_shared<Listener>();
  if (const auto listening = listener->listen(context, port); !listening)
    return fail(
        ErrorKind::Internal, "No port for the browser's answer: " + listening.error().message,
        port == 0 ? "Check what prevents programs from listening." : "Stop the program that uses that port.");
  return std::shared_ptr<RedirectListener>(std::move(listener));
}

}  // namespace leanbridge::upstream
