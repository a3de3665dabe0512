// From the MCP server to the metadata of its authorization server.

#include "leanbridge/base/json.hpp"
#include "leanbridge/mcp/revision.hpp"

#include "incoming.hpp"
#include "oauth_requests.hpp"

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

constexpr std::size_t kLargestDocument = 256u << 10;

Error unreachable(const std::string& what, const http::Failure& failure) {
  if (failure.kind == http::Failure::Kind::Cancelled)
    return Error(ErrorKind::Cancelled, "The call was cancelled.");
  return Error(ErrorKind::BackendUnavailable, what + " is not reached: " + failure.message,
               "Try again later, or look at the network.");
}

// Redirects are not followed: where one leads was not checked, and metadata has fixed places.
asio::awaitable<tl::expected<http::Response, http::Failure>> get(http::Client& http, std::string address,
                                                                 io::Scope scope) {
  http::Request request;
  request.url = std::move(address);
  request.headers = {{"Accept", "application/json"},
                     {"MCP-Protocol-Version", std::string(mcp::kModernRevisions.front())}};
  request.max_body = kLargestDocument;
  request.max_redirects = 0;
  co_return co_await http.send(std::move(request), scope);
}

json probe_message(const std::string& method) {
  return {{"jsonrpc", "2.0"},
          {"id", 1},
          {"method", method},
          {"params",
           {{"_meta",
             {{mcp::kMetaProtocolVersion, mcp::kModernRevisions.front()},
              {mcp::kMetaClientCapabilities, json::object()},
              {mcp::kMetaClientInfo, {{"name", "leanbridge"}, {"version", "1"}}}}}}}};
}

http::Request probe_request(const ServerConfig& server, const std::string& method) {
  http::Request request;
  request.url = server.url;
  for (const auto& [name, value] : server.headers) request.headers.emplace_back(name, value);
  request.max_redirects = 0;
  if (server.transport == TransportKind::Sse) {
    request.headers.emplace_back("Accept", "text/event-stream");
    return request;
  }
  request.method = "POST";
  request.headers.emplace_back("Content-Type", "application/json");
  request.headers.emplace_back("Accept", "application/json, text/event-stream");
  request.headers.emplace_back("MCP-Protocol-Version", std::string(mcp::kModernRevisions.front()));
  request.headers.emplace_back("Mcp-Method", method);
  request.body = probe_message(method).dump();
  return request;
}

struct Heard {
  int status = 0;
  std::string challenge;
};

// Only the head is of interest: the rest may be a stream without end.
asio::awaitable<tl::expected<Heard, http::Failure>> ask_once(http::Client& http, http::Request request,
                                                             io::Scope scope) {
  auto heard = std::make_shared<Heard>();
  auto enough = std::make_shared<io::CancelSource>();
  http::StreamEvents events;
  events.on_headers = [heard, enough](const http::Response& head) {
    heard->status = head.status;
    heard->challenge = challenges_of(head);
    enough->cancel();
  };
  events.on_bytes = [](std::string_view) {};
  io::Scope inner = scope;
  inner.cancel = enough;
  const auto ended = co_await http.stream(std::move(request), std::move(events), inner);
  if (!ended && heard->status == 0) co_return tl::unexpected(ended.error());
  co_return *heard;
}

}  // namespace

asio::awaitable<Result<BearerChallenge>> ask_challenge(http::Client& http, ServerConfig server,
                                                       io::Scope scope) {
  for (const char* method : {"server/discover", "tools/list"}) {
    http::Request request = probe_request(server, method);
    const auto heard = co_await ask_once(http, std::move(request), scope);
    if (!heard) co_return tl::unexpected(unreachable("The server " + server.name, heard.error()));
    if (heard->status == 401) co_return bearer_challenge(heard->challenge).value_or(BearerChallenge());
    if (server.transport == TransportKind::Sse) break;
  }
  co_return BearerChallenge();
}

asio::awaitable<Result<std::optional<ResourceMetadata>>> find_resource_metadata(http::Client& http,
                                                                                std::string server_url,
                                                                                std::string address,
                                                                                io::Scope scope) {
  const std::vector<std::string> addresses =
      address.empty() ? resource_metadata_addresses(server_url) : std::vector<std::string>{address};
  for (const std::string& each : addresses) {
    auto checked = check_address(each, server_url, "The address of the protected resource's metadata");
    if (!checked) co_return tl::unexpected(checked.error());
    const auto response = co_await get(http, each, scope);
    if (!response)
      co_return tl::unexpected(unreachable("The protected resource's metadata", response.error()));
    const json document = read_json(response->body);
    if (response->status == 200 && document.is_object()) {
      auto metadata = read_resource_metadata(document, server_url);
      if (!metadata) co_return tl::unexpected(metadata.error());
      co_return std::optional<ResourceMetadata>(std::move(*metadata));
    }
    if (!address.empty())
      co_return fail(ErrorKind::BackendError,
                     "The server says where its metadata is, but there is none: HTTP " +
                         std::to_string(response->status) + ".",
                     "Ask who runs the server.");
  }
  co_return std::optional<ResourceMetadata>();
}

asio::awaitable<Result<IssuerMetadata>> find_issuer_metadata(http::Client& http, std::string issuer,
                                                             std::string server_url, io::Scope scope) {
  auto checked = check_address(issuer, server_url, "The authorization server");
  if (!checked) co_return tl::unexpected(checked.error());
  std::optional<http::Failure> failure;
  for (const std::string& each : issuer_metadata_addresses(issuer)) {
    const auto response = co_await get(http, each, scope);
    if (!response) {
      failure = response.error();
      if (failure->kind == http::Failure::Kind::Redirects) continue;
      break;
    }
    const json document = read_json(response->body);
    if (response->status == 200 && document.is_object())
      co_return read_issuer_metadata(document, issuer, server_url);
  }
  if (failure)
    co_return tl::unexpected(unreachable("The authorization server " + printable(issuer), *failure));
  co_return fail(
      ErrorKind::BackendError, "The authorization server " + printable(issuer) + " publishes no metadata.",
      "Configure client_id, authorization_url and token_url in [servers.auth], or ask who runs it.");
}

}  // namespace leanbridge::upstream
