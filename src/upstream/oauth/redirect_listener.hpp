#pragma once
/// The loopback redirect of a login (RFC 8252 7.3): a port on 127.0.0.1 that takes one answer of the user's
/// browser.

#include "leanbridge/base/error.hpp"
#include "leanbridge/io/condition.hpp"

#include <map>
#include <memory>
#include <string>

namespace leanbridge::upstream {

/// The parameters of an authorization response, decoded.
using RedirectParameters = std::map<std::string, std::string>;

class RedirectListener {
 public:
  /// `port` 0: any free one. Internal where it cannot be had.
  static Result<std::shared_ptr<RedirectListener>> open(asio::io_context& context, unsigned short port);
  virtual ~RedirectListener() = default;

  /// "http://127.0.0.1:PORT/callback"
  virtual std::string redirect_uri() const = 0;
  /// The first GET of that address with the right Host and this `state`, an error too; anything else (any
  /// page in the browser can ask here) is answered with an error and not counted. Timeout, Cancelled by the
  /// scope. The port is closed afterwards.
  virtual asio::awaitable<Result<RedirectParameters>> answer(std::string state, io::CancelScope scope) = 0;
};

/// A request's head, as it came: the parameters where it is the redirect of the login with this state, else
/// the HTTP status to answer with.
tl::expected<RedirectParameters, int> read_redirect(const std::string& head, unsigned short port,
                                                    const std::string& state);

}  // namespace leanbridge::upstream
