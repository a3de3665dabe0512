#pragma once
/// Requests of other servers to our client: for input of its user (elicitation), its model (sampling), its
/// roots.

#include "core/io/asio.hpp"
#include "core/io/condition.hpp"
#include "core/rpc/message.hpp"
#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include <string>
#include <string_view>

namespace leanbridge::mcp {

/// The client's result, or its error.
using HostAnswer = tl::expected<nlohmann::json, rpc::RpcError>;

/// The client of a session. Belongs to the loop's thread; may outlive the session, and then gives no answers.
class Host {
 public:
  virtual ~Host() = default;

  /// The client's capabilities in `initialize`, reduced by askable(); empty before. Also empty in the modern
  /// era, in which a server sends no requests but returns `input_required`.
  virtual nlohmann::json capabilities() const = 0;
  /// Sends the request and waits for the answer; when the scope ends, cancels it at the client. An error with
  /// kInternalError means that there is no answer.
  virtual asio::awaitable<HostAnswer> ask(std::string method, nlohmann::json params,
                                          io::CancelScope scope) = 0;
};

/// The capabilities that let a server send requests: `elicitation`, `sampling`, `roots`.
nlohmann::json askable(const nlohmann::json& capabilities);
/// Whether a client with these capabilities answers requests of this method.
bool can_answer(const nlohmann::json& capabilities, std::string_view method);

}  // namespace leanbridge::mcp
