#pragma once
/// The loopback redirect of a login (RFC 8252 7.3): a port on 127.0.0.1 that accepts one answer from the
/// user's browser.

#include "leanbridge/base/error.hpp"
#include "leanbridge/http/server.hpp"
#include "leanbridge/io/condition.hpp"

#include <map>
#include <memory>
#include <string>

namespace leanbridge::upstream {

/// The parameters of an authorization response, decoded.
using RedirectParameters = std::map<std::string, std::string>;

class RedirectListener {
 public:
  /// `port` 0 means any free one. Internal if it cannot be opened.
  static Result<std::shared_ptr<RedirectListener>> open(asio::io_context& context, unsigned short port);
  virtual ~RedirectListener() = default;

  /// "http://127.0.0.1:PORT/callback"
  virtual std::string redirect_uri() const = 0;
  /// The first GET of that address with the right Host and this `state`, even if it reports an error. Other
  /// requests, which any page in the browser can make, are answered with an error and ignored. Timeout,
  /// Cancelled by the scope. Closes the port afterwards.
  virtual asio::awaitable<Result<RedirectParameters>> answer(std::string state, io::CancelScope scope) = 0;
};

/// Returns the parameters if the request is the redirect of the login with this state, else the HTTP status
/// to answer with.
tl::expected<RedirectParameters, int> read_redirect(const http::IncomingRequest& request,
                                                    const std::string& port, const std::string& state);

}  // namespace leanbridge::upstream
