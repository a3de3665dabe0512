#pragma once
/// HTTP and HTTPS requests, made by libcurl on its own thread. Connections are reused.

#include "core/io/condition.hpp"
#include <tl/expected.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leanbridge::http {

/// In the order of sending; names in upper or lower case.
using Headers = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method = "GET";
  std::string url;               ///< http or https, percent-encoded
  std::string unix_socket = {};  ///< connect to this socket instead of the URL's host; empty: to the host
  Headers headers;   ///< never logged; a redirect to another origin keeps only Accept and Content-Type
  std::string body;  ///< sent with POST, never to another origin: a redirect that would repeat it there is
                     ///< refused
  std::size_t max_body = 8u << 20;  ///< bytes of the decompressed answer; a longer one fails with TooLarge
  int max_redirects = 3;            ///< a redirect from https to http is never followed
  bool same_origin = false;         ///< a redirect to another origin is refused
};

struct Response {
  int status = 0;
  Headers headers;  ///< of the last answer; names in lower case
  std::string body;

  /// The value of a header, or "".
  std::string header(const std::string& lower_case_name) const;
};

struct Failure {
  enum class Kind {
    Timeout,
    Cancelled,
    Resolve,
    Connect,
    Tls,
    TooLarge,
    Redirects,
    Truncated,
    BadUrl,
    Other
  };
  Kind kind;
  std::string message;  ///< one sentence with host and port, but no header, path or query
};

/// Scheme, host and port of a URL.
struct Origin {
  std::string scheme;  ///< "http" or "https"
  std::string host;    ///< lower case; IPv6 in brackets
  std::string port;    ///< never empty

  std::string place() const { return host + ":" + port; }
  bool loopback() const;
  friend bool operator==(const Origin&, const Origin&) = default;
};
/// BadUrl if `url` is not an http or https URL.
tl::expected<Origin, Failure> origin_of(const std::string& url);

/// The delay that Retry-After asks for, as seconds or a date; never negative. nullopt if it is missing or
/// malformed.
std::optional<std::chrono::milliseconds> retry_after(const Response& response,
                                                     std::chrono::system_clock::time_point now);

/// Whether the text is a token, such as the name of a header; whether the character may be in one (RFC 9110
/// 5.6.2).
bool is_token_char(char c);
bool is_token(std::string_view text);

struct ClientOptions {
  std::string user_agent = "leanbridge";
  long max_connections = 32;
  bool loopback_only = false;  ///< refuse other machines with BadUrl
};

/// Callbacks for a streamed answer. Both run on the loop's thread, never after stream() has returned.
struct StreamEvents {
  std::function<void(const Response&)> on_headers;  ///< once, before any byte; the body is empty
  std::function<void(std::string_view)> on_bytes;   ///< decompressed; at most 1 MiB is buffered
};

/// Use from the loop's thread. Destroying it ends requests under way as Cancelled. Trusts the system's
/// certificates, or those named by CURL_CA_BUNDLE or SSL_CERT_FILE; uses the proxies of the environment
/// (https_proxy, http_proxy, no_proxy). The thread starts with the first request.
class Client {
 public:
  Client(asio::io_context& context, ClientOptions options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Returns the whole answer, whatever its status. The scope's deadline bounds the whole exchange; its
  /// cancellation ends the transfer.
  asio::awaitable<tl::expected<Response, Failure>> send(Request request, io::CancelScope scope);

  /// As send(), but delivers the answer piece by piece and returns an empty body at its end. `max_body` does
  /// not apply: the listener limits a stream by ending the scope.
  asio::awaitable<tl::expected<Response, Failure>> stream(Request request, StreamEvents events,
                                                          io::CancelScope scope);

 private:
  struct Exchange;
  class Worker;
  asio::awaitable<tl::expected<Response, Failure>> run(Request request, std::shared_ptr<Exchange> exchange,
                                                       io::CancelScope scope);
  asio::io_context& context_;
  ClientOptions options_;
  std::shared_ptr<Worker> worker_;
};

}  // namespace leanbridge::http
