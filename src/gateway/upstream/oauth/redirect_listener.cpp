#include "redirect_listener.hpp"

#include "core/base/ascii.hpp"
#include "core/base/secret.hpp"

#include <string_view>

namespace leanbridge::upstream {

namespace {

constexpr std::string_view kPath = "/callback";

http::ServerLimits limits() {
  http::ServerLimits limits;
  limits.max_connections = limits.max_client_connections = 16;
  limits.max_body = limits.max_bodies = limits.max_client_bodies = 1024;
  return limits;
}

// The reply repeats no part of the request.
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

}  // namespace

tl::expected<RedirectParameters, int> read_redirect(const http::IncomingRequest& request,
                                                    const std::string& port, const std::string& state) {
  // A page in the user's browser can reach this port under its own host name, which Host then shows.
  const std::string host = lower_case(request.field("host").value_or(""));
  if (request.count("host") != 1 || (host != "127.0.0.1:" + port && host != "localhost:" + port))
    return tl::unexpected(400);
  if (request.method != "GET") return tl::unexpected(405);
  if (request.path() != kPath || request.path() == request.target) return tl::unexpected(404);
  auto parameters = request.query();
  if (!parameters || state.empty() || !equal_secrets((*parameters)["state"], state))
    return tl::unexpected(400);
  return std::move(*parameters);
}

RedirectListener::~RedirectListener() {
  if (server_) server_->drain();
}

Result<std::shared_ptr<RedirectListener>> RedirectListener::open(asio::io_context& context,
                                                                 unsigned short port) {
  auto listener = std::make_shared<RedirectListener>();
  http::ServerHandlers handlers;
  handlers.handle = [weak = std::weak_ptr(listener)](const std::shared_ptr<http::Exchange>& exchange) {
    const auto self = weak.lock();
    exchange->respond(reply(self ? self->take(exchange->request()) : 400));
  };
  auto server = http::Server::listen(context, {.host = "127.0.0.1", .port = port, .path = {}}, limits(),
                                     std::move(handlers));
  if (!server)
    return fail(
        ErrorKind::Internal, "No port for the browser's answer: " + server.error().message,
        port == 0 ? "Check what prevents programs from listening." : "Stop the program that uses that port.");
  listener->server_ = std::move(*server);
  return listener;
}

std::string RedirectListener::redirect_uri() const {
  return server_->url() + std::string(kPath);
}

// Returns the status to answer with.
int RedirectListener::take(const http::IncomingRequest& request) {
  auto read =
      read_redirect(request, server_->url().substr(std::string_view("http://127.0.0.1:").size()), state_);
  if (!read) return read.error();
  if (!answer_) answer_ = std::move(*read);
  changed_.notify_all();
  return 200;
}

asio::awaitable<Result<RedirectParameters>> RedirectListener::answer(std::string state,
                                                                     io::CancelScope scope) {
  const auto self = shared_from_this();
  state_ = std::move(state);
  const io::WaitStatus end = co_await io::wait_until(changed_, scope, [this] { return answer_.has_value(); });
  server_->drain();
  if (end == io::WaitStatus::Ready) co_return std::move(*answer_);
  if (end == io::WaitStatus::Cancelled) co_return fail(ErrorKind::Cancelled, "The login was interrupted.");
  co_return fail(ErrorKind::Timeout, "Nobody answered in the browser in time.", "Log in again.");
}

}  // namespace leanbridge::upstream
