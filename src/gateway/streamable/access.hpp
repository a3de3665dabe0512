#pragma once
/// Who may ask what: the checks of a request's head, before its body is read and before anything runs. Pure.

#include "core/base/secret.hpp"
#include "http/server.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::streamable {

inline constexpr std::string_view kMcpPath = "/mcp";

struct AccessPolicy {
  std::vector<Secret> tokens;  ///< one of them is needed, unless there are none
  /// Only Host names of this machine are accepted. A page whose name resolves to 127.0.0.1 (DNS rebinding)
  /// shows its own name there.
  bool local_hosts_only = true;
  std::vector<std::string> hosts;  ///< further names that Host may have
};

/// The answer to a request that must not be served; nullopt: serve it. `/healthz` and `/readyz` need no
/// token. Nothing of the request is repeated in the answer.
std::optional<http::OutgoingResponse> refuse(const http::IncomingRequest& head, const AccessPolicy& policy);

/// The part of refuse() that keeps out pages of elsewhere in the user's browser: by Host, Origin, and fields
/// that must not be repeated.
enum class HostField { Checked, Any };
std::optional<http::OutgoingResponse> refuse_page(const http::IncomingRequest& head,
                                                  const AccessPolicy& policy,
                                                  HostField host = HostField::Checked);

/// Which of the policy's tokens the request has, from 1; 0: none. Takes the same time for each token.
std::size_t token_of(const http::IncomingRequest& head, const AccessPolicy& policy);

/// Whether a Host, or the host of an Origin, names this machine.
bool is_local_host(std::string_view host);

/// Whether Accept lists the type, `*/*` or nothing.
bool accepts(const http::IncomingRequest& head, std::string_view type);

/// Tokens from a file: one a line; empty lines and those that begin with # are skipped. InvalidArgument if it
/// cannot be read, has none, or one that is shorter than 16 characters or has others than visible ASCII.
Result<std::vector<Secret>> read_tokens(const std::string& file);

/// Tokens from a text as read_tokens() takes it; errors begin with `where` it is from.
Result<std::vector<Secret>> tokens_in(const std::string& text, const std::string& where);

}  // namespace leanbridge::streamable
