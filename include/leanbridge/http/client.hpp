#pragma once
/// HTTP and HTTPS requests, made by libcurl on a thread of its own. Connections are kept and used again.

#include "leanbridge/io/condition.hpp"

#include <tl/expected.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leanbridge::http {

/// In the order of sending; names in any case.
using Headers = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method = "GET";
  std::string url;   ///< http or https, percent-encoded
  Headers headers;   ///< never logged; on a redirect to another origin only Accept and Content-Type go along
  std::string body;  ///< sent with POST; to another origin never: a redirect that would repeat it is refused
  std::size_t max_body = 8u << 20;  ///< bytes of the answer after decompression; more ends it with TooLarge
  int max_redirects = 3;            ///< https never goes to http
  bool same_origin = false;         ///< a redirect to another origin is refused
};

struct Response {
  int status = 0;
  Headers headers;  ///< names in lower case, of the last answer
  std::string body;

  /// The value of a header, "" where it is missing.
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
  std::string message;  ///< one sentence with host and port, never a header, a path or a query
};

/// What is between "://" and the path, and whether it is this machine.
struct Origin {
  std::string scheme;  ///< "http" or "https"
  std::string host;    ///< lower case; IPv6 in brackets
  std::string port;    ///< always given

  std::string place() const { return host + ":" + port; }
  bool loopback() const;
  friend bool operator==(const Origin&, const Origin&) = default;
};
/// Nothing for what is no http or https URL.
tl::expected<Origin, Failure> origin_of(const std::string& url);

/// What Retry-After says, in seconds or as a date; never below zero. Nothing where it is missing or neither.
std::optional<std::chrono::milliseconds> retry_after(const Response& response,
                                                     std::chrono::system_clock::time_point now);

/// A token, such as the name of a header, and what it is made of (RFC 9110 5.6.2).
bool is_token_char(char c);
bool is_token(std::string_view text);

/// As in application/x-www-form-urlencoded values, but a blank is %20.
std::string percent_encode(std::string_view text);

struct ClientOptions {
  std::string user_agent = "leanbridge";
  long max_connections = 32;
  bool loopback_only = false;  ///< refuse, with BadUrl, what is not on this machine
};

/// An answer that is heard while it comes. Both are called on the loop's thread, and never again once
/// stream() has returned.
struct StreamEvents {
  std::function<void(const Response&)> on_headers;  ///< once, before any byte; the body is empty
  std::function<void(std::string_view)> on_bytes;   ///< unpacked; what is not heard yet is bounded: 1 MiB
};

/// Belongs to the loop's thread; destroying it ends what is under way, as Cancelled. The certificates of the
/// system are trusted, or those that CURL_CA_BUNDLE or SSL_CERT_FILE names; proxies are those of the
/// environment (https_proxy, http_proxy, no_proxy). The thread begins with the first request.
class Client {
 public:
  Client(asio::io_context& context, ClientOptions options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// The whole answer, of any status. The scope's deadline bounds all of it; its cancellation ends the
  /// transfer.
  asio::awaitable<tl::expected<Response, Failure>> send(Request request, io::CancelScope scope);

  /// The same, piece by piece; returns at the end of the answer, with an empty body. `max_body` does not
  /// count: what a stream may send in all is for the listener to bound, by ending the scope.
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
