#pragma once
/// An HTTP or HTTPS server on this machine, inside the test's own loop, that answers as the test says.

#include "http/client.hpp"
#include "support/variable.hpp"

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::test {

struct HttpRequest {
  std::string method;
  std::string target;     ///< path and query as they were sent
  http::Headers headers;  ///< names in lower case
  std::string body;

  /// "" if it is missing.
  std::string header(const std::string& name) const;
};

struct HttpReply {
  int status = 200;
  std::string body;
  http::Headers headers = {};
  std::size_t filler = 0;  ///< bytes sent after the body and declared as part of it
  /// How it fails, after as much of the body as `sent` says.
  enum class Fault { None, Cut, Hang } fault = Fault::None;
  std::size_t sent = 0;
  bool silent = false;  ///< the connection is closed instead of any answer
};

class FakeHttp {
 public:
  using Handler = std::function<HttpReply(const HttpRequest&)>;

  /// Speaks HTTPS if given a certificate and key (PEM files).
  explicit FakeHttp(asio::io_context& context, const std::string& certificate = "",
                    const std::string& key = "");
  FakeHttp(const FakeHttp&) = delete;
  FakeHttp& operator=(const FakeHttp&) = delete;
  ~FakeHttp();

  /// "http://127.0.0.1:PORT", without a slash at the end.
  std::string url() const;
  void on_request(Handler handler);
  /// Answers everything with the same reply.
  void answer(HttpReply reply);

  const std::vector<HttpRequest>& requests() const;
  /// The number of connections so far, and how many of them the client has closed.
  std::size_t connections() const;
  std::size_t disconnections() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// A port of this machine at which nothing listens.
std::string url_of_nobody();

/// A self-signed certificate for 127.0.0.1 and localhost, and its key, written to `certificate` and `key`.
void write_certificate(const std::string& certificate, const std::string& key);

/// While it lives, the environment names no proxy.
class NoProxies {
  std::list<Variable> unset_;

 public:
  NoProxies();
};

/// How many look-ups of hanging.invalid have begun; see no_internet.cpp.
std::size_t hanging_lookups();

}  // namespace leanbridge::test
