#pragma once
/// HTTP and HTTPS requests, made by libcurl on a thread of its own. Connections are kept and used again.

#include "leanbridge/io/condition.hpp"

#include <tl/expected.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::http {

struct Request {
  std::string method = "GET";
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;  ///< never logged
  std::string body;
  std::size_t max_body = 8u << 20;  ///< bytes of the answer after decompression; more ends it with TooLarge
  int max_redirects = 3;            ///< https never goes to http; Authorization never to another origin
};

struct Response {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case, of the last answer
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
  std::string message;  ///< one sentence with host and port, never a header or a query
};

/// Belongs to the loop's thread; destroying it ends what is under way.
class Client {
 public:
  Client(asio::io_context& context, std::string user_agent);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// The whole answer, of any status. The scope's deadline bounds all of it; its cancellation ends the
  /// transfer.
  asio::awaitable<tl::expected<Response, Failure>> send(Request request, io::Scope scope);

 private:
  class Worker;
  std::shared_ptr<Worker> worker_;
};

}  // namespace leanbridge::http
