#pragma once
/// Access control: checks the head of a request before its body is read and before anything runs. Pure.

#include "core/base/secret.hpp"
#include "http/server.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::streamable {

inline constexpr std::string_view kMcpPath = "/mcp";

struct AccessPolicy {
  std::vector<Secret> tokens;  ///< one of these is required, if there are any
  /// Accepts only Host names of this machine. A page whose name resolves to 127.0.0.1 (DNS rebinding) shows
  /// its own name there.
  bool local_hosts_only = true;
  std::vector<std::string> hosts;  ///< further names to accept in Host
};

/// The answer to a request that must not be served; nullopt: serve it. `/healthz` and `/readyz` need no
/// token. The answer repeats no part of the request.
std::optional<http::OutgoingResponse> refuse(const http::IncomingRequest& head, const AccessPolicy& policy);

/// The part of refuse() that keeps out foreign pages in the user's browser, by Host, Origin, and fields that
/// must not be repeated.
enum class HostField { Checked, Any };
std::optional<http::OutgoingResponse> refuse_page(const http::IncomingRequest& head,
                                                  const AccessPolicy& policy,
                                                  HostField host = HostField::Checked);

/// The number of the policy's token that the request has, from 1; 0: none. Takes the same time for each
/// token.
std::size_t token_of(const http::IncomingRequest& head, const AccessPolicy& policy);

/// Whether a Host, or the host of an Origin, names this machine.
bool is_local_host(std::string_view host);

/// Whether Accept lists the type or `*/*`, or is missing.
bool accepts(const http::IncomingRequest& head, std::string_view type);

/// Reads tokens from a file, one per line; skips empty lines and lines that begin with #. InvalidArgument if
/// the file cannot be read, has no token, or has one that is shorter than 16 characters or contains other
/// characters than visible ASCII.
Result<std::vector<Secret>> read_tokens(const std::string& file);

/// Reads tokens from a text in the format of read_tokens(); errors begin with `where`, the origin of the
/// text.
Result<std::vector<Secret>> tokens_in(const std::string& text, const std::string& where);

}  // namespace leanbridge::streamable
