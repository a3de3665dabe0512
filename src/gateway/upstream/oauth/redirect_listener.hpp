#pragma once
/// The loopback redirect of a login (RFC 8252 7.3): a port on 127.0.0.1 that accepts one answer from the
/// user's browser.

#include "core/base/error.hpp"
#include "core/io/condition.hpp"
#include "http/server.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace leanbridge::upstream {

/// The parameters of an authorization response, decoded.
using RedirectParameters = std::map<std::string, std::string>;

class RedirectListener : public std::enable_shared_from_this<RedirectListener> {
 public:
  /// `port` 0 means any free one. Internal if it cannot be opened.
  static Result<std::shared_ptr<RedirectListener>> open(asio::io_context& context, unsigned short port);
  ~RedirectListener();

  /// "http://127.0.0.1:PORT/callback"
  std::string redirect_uri() const;
  /// Waits for the first GET of that address with the right Host and this `state`, even if it reports an
  /// error. Other requests, which any page in the browser can make, are answered with an error and ignored.
  /// Timeout, Cancelled by the scope. Closes the port afterwards.
  asio::awaitable<Result<RedirectParameters>> answer(std::string state, io::CancelScope scope);

 private:
  int take(const http::IncomingRequest& request);

  std::shared_ptr<http::Server> server_;
  std::string state_;  // empty: no answer is expected yet
  std::optional<RedirectParameters> answer_;
  io::Condition changed_;
};

/// Returns the parameters if the request is the redirect of the login with this state, else the HTTP status
/// to answer with.
tl::expected<RedirectParameters, int> read_redirect(const http::IncomingRequest& request,
                                                    const std::string& port, const std::string& state);

}  // namespace leanbridge::upstream
