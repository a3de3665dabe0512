#pragma once
/// One request of either HTTP transport: configured headers, authorization, failures as errors.

#include "gateway/upstream/transport.hpp"
#include "http/client.hpp"

namespace leanbridge::upstream {

inline constexpr std::size_t kMaxQueued = 10'000;        ///< messages waiting to be sent
inline constexpr std::size_t kMaxErrorText = 64u << 10;  ///< bytes read of an error response

struct HttpContext {
  asio::io_context& loop;
  http::Client& client;
  std::shared_ptr<Authorization> authorization;  ///< may be null
  ServerConfig server;
  Secret last_token = {};  ///< the last token that was sent
};

/// BackendUnavailable if the server's `url` is not an http or https URL.
Result<void> check_url(const ServerConfig& server);

/// Sends the request with the server's headers and token. `events` receive one answer: a 401 or 403 that
/// leads to a new token is not shown. Fails if no answer came or authorization failed.
asio::awaitable<Result<http::Response>> exchange(std::shared_ptr<HttpContext> context, http::Request request,
                                                 http::StreamEvents events, io::CancelScope scope);

/// Delivers an error response with kTransportError for the request with this id; does nothing for null.
void answer_error(const Transport::Events& events, const nlohmann::json& id, std::string message, int status,
                  nlohmann::json more = nlohmann::json::object());

/// Text such as "HTTP 404: the beginning of the body", without tokens and configured headers: servers quote
/// the requests that they refuse.
std::string describe_status(int status, std::string body, const HttpContext& context);

/// Resolves the address that a server gives for its messages against its own URL (RFC 3986, as far as servers
/// use it). Fails if the origin differs: tokens must not go there.
Result<std::string> resolve_endpoint(const std::string& base, const std::string& given);

}  // namespace leanbridge::upstream
