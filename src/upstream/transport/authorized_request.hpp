#pragma once
/// What both HTTP transports do with one request: configured headers, authorization, failures as errors.

#include "leanbridge/http/client.hpp"
#include "leanbridge/upstream/transport.hpp"

namespace leanbridge::upstream {

inline constexpr std::size_t kMaxQueued = 10'000;           ///< messages on their way to the server
inline constexpr std::size_t kMaxErrorText = 64u << 10;  ///< bytes of an error response that are read

struct HttpContext {
  asio::io_context& loop;
  http::Client& client;
  std::shared_ptr<Authorization> authorization;  ///< may be null
  ServerConfig server;
  Secret last_token = {};  ///< that was sent
};

/// BackendUnavailable where the server's `url` is no address that can be asked.
Result<void> check_url(const ServerConfig& server);

/// Sends the request with the server's headers and token. `events` hear one answer: a 401 or 403 that leads
/// to a new token is not shown. The error: nothing came, or authorization failed.
asio::awaitable<Result<http::Response>> exchange(std::shared_ptr<HttpContext> context, http::Request request,
                                                 http::StreamEvents events, io::CancelScope scope);

/// An error response with kTransportError for the request with this id; null ids get none.
void answer_error(const Transport::Events& events, const nlohmann::json& id, std::string message, int status,
                  nlohmann::json more = nlohmann::json::object());

/// "HTTP 404: the beginning of its text". Servers quote what they refuse: tokens and configured headers are
/// left out.
std::string describe_status(int status, std::string body, const HttpContext& context);

/// The address that a server gives for its messages, resolved against its own (RFC 3986, what servers use of
/// it). An error where it has another origin: tokens must not go there.
Result<std::string> resolve_endpoint(const std::string& base, const std::string& given);

}  // namespace leanbridge::upstream
