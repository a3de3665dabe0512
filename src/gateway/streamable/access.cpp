#include "access.hpp"

#include "core/base/ascii.hpp"
#include "core/base/files.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace leanbridge::streamable {

using http::IncomingRequest;
using http::OutgoingResponse;

namespace {

constexpr std::size_t kMinToken = 16;  // characters
constexpr std::size_t kMaxTokens = 1000;
constexpr std::size_t kMaxTokenFile = 1u << 20U;  // bytes

// Fields that must not be repeated: a proxy that reads the first one and a server that reads the last must
// not disagree.
constexpr auto kOnlyOnce =
    std::to_array<std::string_view>({"accept", "authorization", "content-type", "last-event-id", "mcp-method",
                                     "mcp-name", "mcp-protocol-version", "mcp-session-id", "origin"});

OutgoingResponse refusal(int status, std::string why) {
  return {.status = status, .fields = {{"content-type", "text/plain"}}, .body = std::move(why) + "\n"};
}

std::string_view without_port(std::string_view host) {
  if (host.starts_with("[")) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

bool may_be_host(std::string_view host, const AccessPolicy& policy) {
  const std::string name = lower_case(without_port(host));
  if (std::ranges::find(policy.hosts, name) != policy.hosts.end()) return true;
  return is_local_host(host) || (!policy.local_hosts_only && policy.hosts.empty());
}

// Only http and https origins have a host; `null` and others are refused.
bool may_be_origin(std::string_view origin, const AccessPolicy& policy) {
  const std::size_t scheme = origin.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::string_view host = origin.substr(scheme + 3);
  const std::string name = lower_case(without_port(host));
  const bool named = std::ranges::find(policy.hosts, name) != policy.hosts.end();
  return (origin.starts_with("http://") || origin.starts_with("https://")) && (is_local_host(host) || named);
}

bool is_json(std::string_view type) {
  return lower_case(trimmed(type.substr(0, type.find(';')))) == "application/json";
}

}  // namespace

bool is_local_host(std::string_view host) {
  const std::string name = lower_case(without_port(host));
  const std::string_view port = host.substr(name.size());
  if (!port.empty() && (port[0] != ':' || port.find_first_not_of("0123456789", 1) != std::string_view::npos))
    return false;
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]";
}

bool accepts(const IncomingRequest& head, std::string_view type) {
  const auto field = head.field("accept");
  if (!field || trimmed(*field).empty()) return true;
  const std::string group = std::string(type.substr(0, type.find('/'))) + "/*";
  std::istringstream list{std::string(*field)};
  for (std::string entry; std::getline(list, entry, ',');) {
    const std::string offered = lower_case(trimmed(std::string_view(entry).substr(0, entry.find(';'))));
    if (offered == type || offered == "*/*" || offered == group) return true;
  }
  return false;
}

std::size_t token_of(const IncomingRequest& head, const AccessPolicy& policy) {
  constexpr std::string_view kScheme = "bearer ";
  const auto field = head.field("authorization");
  if (!field || lower_case(field->substr(0, kScheme.size())) != kScheme) return 0;
  const std::string_view given = trimmed(field->substr(kScheme.size()));
  std::size_t found = 0;
  for (std::size_t i = 0; i < policy.tokens.size(); ++i)
    if (equal_secrets(policy.tokens[i].reveal(), given)) found = i + 1;
  return found;
}

std::optional<OutgoingResponse> refuse_page(const IncomingRequest& head, const AccessPolicy& policy,
                                            HostField host) {
  for (const std::string_view name : kOnlyOnce)
    if (head.count(name) > 1) return refusal(400, std::string(name) + " is given more than once.");
  if (host == HostField::Checked && !may_be_host(head.field("host").value_or(""), policy))
    return refusal(403, "Host does not name this server.");
  if (const auto origin = head.field("origin"); origin && !may_be_origin(*origin, policy))
    return refusal(403, "Pages of this Origin may not use this server.");
  return std::nullopt;
}

std::optional<OutgoingResponse> refuse(const IncomingRequest& head, const AccessPolicy& policy) {
  const std::string_view path = head.path();
  const bool is_probe = path == "/healthz" || path == "/readyz";  // schedulers send probes to the address
  if (auto refused = refuse_page(head, policy, is_probe ? HostField::Any : HostField::Checked))
    return refused;
  if (!is_probe && !policy.tokens.empty() && token_of(head, policy) == 0) {
    OutgoingResponse response = refusal(401, "A token is needed: Authorization: Bearer TOKEN.");
    const bool has_one = head.field("authorization").has_value();
    response.fields.emplace_back("www-authenticate", std::string("Bearer realm=\"leanbridge\"") +
                                                         (has_one ? ", error=\"invalid_token\"" : ""));
    return response;
  }
  const bool is_mcp = path == kMcpPath;
  if (!is_mcp && !is_probe && path != "/metrics" && path != "/status")
    return refusal(404, "There is nothing here. MCP is at /mcp.");
  const bool may_get = !is_mcp && (head.method == "GET" || head.method == "HEAD");
  const bool may_mcp = is_mcp && (head.method == "POST" || head.method == "GET" || head.method == "DELETE");
  if (!may_get && !may_mcp) {
    OutgoingResponse response = refusal(405, "This method is not offered here.");
    response.fields.emplace_back("allow", is_mcp ? "POST, GET, DELETE" : "GET, HEAD");
    return response;
  }
  if (head.method != "POST") return std::nullopt;
  // A page of any origin may send text/plain without asking the browser, but not application/json.
  if (!is_json(head.field("content-type").value_or("")))
    return refusal(415, "Content-Type must be application/json.");
  if (!accepts(head, "application/json") && !accepts(head, "text/event-stream"))
    return refusal(406, "Accept must list application/json and text/event-stream.");
  return std::nullopt;
}

Result<std::vector<Secret>> tokens_in(const std::string& text, const std::string& where) {
  constexpr const char* kMakeOne = "Make one with: head -c 32 /dev/urandom | base64";
  std::vector<Secret> tokens;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string_view token = trimmed(line);
    if (token.empty() || token.starts_with("#")) continue;
    const bool visible = std::ranges::all_of(token, [](char c) { return c > ' ' && c < '\x7f'; });
    if (token.size() < kMinToken || !visible || tokens.size() >= kMaxTokens)
      return fail(ErrorKind::InvalidArgument,
                  where + ": a token must have at least " + std::to_string(kMinToken) +
                      " visible ASCII characters, and there may be " + std::to_string(kMaxTokens) + ".",
                  kMakeOne);
    tokens.emplace_back(std::string(token));
  }
  if (tokens.empty()) return fail(ErrorKind::InvalidArgument, where + " has no token.", kMakeOne);
  return tokens;
}

Result<std::vector<Secret>> read_tokens(const std::string& file) {
  const auto content = read_regular_file(file, kMaxTokenFile);
  if (!content)
    return fail(ErrorKind::InvalidArgument, "--token-file " + file + ": " + content.error().why + ".",
                "Pass a file with one token a line.");
  return tokens_in(*content, "--token-file " + file);
}

}  // namespace leanbridge::streamable
