#include "metadata.hpp"

#include "core/base/ascii.hpp"
#include "core/base/joined.hpp"
#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/mcp/revision.hpp"
#include "gateway/upstream/transport/incoming.hpp"
#include "http/client.hpp"
#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <map>
#include <sstream>

namespace leanbridge::upstream {

using nlohmann::json;

// --- the WWW-Authenticate header

namespace {

// A cursor in the header. Malformed input ends the reading; earlier parameters count.
struct ChallengeReader {
  std::string_view rest;

  void skip(std::string_view characters) {
    rest.remove_prefix(std::min(rest.find_first_not_of(characters), rest.size()));
  }
  bool take(char c) {
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  }
  std::string token() {
    const auto end = std::ranges::find_if_not(rest, http::is_token_char);
    const std::string word(rest.begin(), end);
    rest.remove_prefix(word.size());
    return word;
  }
  // Reads a token, or a quoted string with its escapes.
  std::string value() {
    if (!take('"')) return token();
    std::string word;
    while (!rest.empty() && !take('"')) {
      if (rest.size() > 1) take('\\');
      word += rest.front();
      rest.remove_prefix(1);
    }
    return word;
  }
  // Skips the rest of a token68, as in `Negotiate YII/...==`. Always advances.
  void skip_rest_of_word() { rest.remove_prefix(std::min(rest.find_first_of(", "), rest.size() - 1) + 1); }
};

bool is_scope(const std::string& word) {
  return std::ranges::all_of(word, [](char c) { return c > 0x20 && c < 0x7F && c != '"' && c != '\\'; });
}

}  // namespace

Scopes split_scopes(const std::string& text) {
  std::istringstream words(text);
  Scopes scopes;
  for (std::string word; words >> word;)
    if (is_scope(word)) scopes.insert(word);
  return scopes;
}

std::string join_scopes(const Scopes& scopes) {
  return joined(scopes, " ");
}

std::string challenges_of(const http::Response& answer) {
  std::string challenges;
  for (const auto& [name, value] : answer.headers)
    if (name == "www-authenticate") join(challenges, value);
  return challenges;
}

std::optional<BearerChallenge> bearer_challenge(const std::string& www_authenticate) {
  ChallengeReader reader{www_authenticate};
  bool bearer = false;  // whether the current scheme is Bearer
  std::map<std::string, std::string> parameters;
  for (reader.skip(" \t,"); !reader.rest.empty(); reader.skip(" \t,")) {
    const std::string word = lower_case(reader.token());
    reader.skip(" \t");
    if (reader.take('=')) {
      reader.skip(" \t");
      std::string value = reader.value();
      if (bearer) parameters.emplace(word, std::move(value));  // the first one counts
    } else if (bearer) {
      break;  // the next scheme begins
    } else {
      bearer = word == "bearer";
    }
    if ((!bearer || word.empty()) && !reader.rest.empty()) reader.skip_rest_of_word();
  }
  if (!bearer) return std::nullopt;
  return BearerChallenge{parameters["resource_metadata"], parameters["scope"], parameters["error"]};
}

// --- addresses and documents

namespace {

constexpr std::size_t kMaxAddress = 4096;

// The path of a URL, without query and fragment; "" if there is none.
std::string path_of(const std::string& url) {
  const std::size_t authority = url.find("://");
  if (authority == std::string::npos) return "";
  const std::size_t start = url.find_first_of("/?#", authority + 3);
  if (start == std::string::npos || url[start] != '/') return "";
  std::string path = url.substr(start, url.find_first_of("?#", start) - start);
  return path == "/" ? "" : path;
}

// Whether it is a numeric address that no public authorization server can have.
bool is_private(std::string host) {
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  boost::system::error_code error;
  asio::ip::address address = asio::ip::make_address(host, error);
  if (error) return false;
  if (address.is_v6()) {
    const auto v6 = address.to_v6();
    if (!v6.is_v4_mapped()) {
      const auto bytes = v6.to_bytes();
      return v6.is_link_local() || v6.is_loopback() || v6.is_unspecified() || (bytes[0] & 0xFEU) == 0xFCU;
    }
    address = asio::ip::make_address_v4(asio::ip::v4_mapped, v6);
  }
  const auto bytes = address.to_v4().to_bytes();
  return bytes[0] == 10 || bytes[0] == 127 || bytes[0] == 0 ||
         (bytes[0] == 172 && (bytes[1] & 0xF0U) == 16) || (bytes[0] == 192 && bytes[1] == 168) ||
         (bytes[0] == 169 && bytes[1] == 254) || (bytes[0] == 100 && (bytes[1] & 0xC0U) == 64);
}

}  // namespace

std::string origin_text(const std::string& url) {
  const auto origin = http::origin_of(url);
  if (!origin) return "";
  const bool usual = origin->port == (origin->scheme == "https" ? "443" : "80");
  return origin->scheme + "://" + origin->host + (usual ? "" : ":" + origin->port);
}

std::string canonical_resource(const std::string& url) {
  return origin_text(url) + path_of(url);
}

std::vector<std::string> resource_metadata_addresses(const std::string& server_url) {
  const std::string root = origin_text(server_url) + "/.well-known/oauth-protected-resource";
  const std::string path = path_of(server_url);
  if (path.empty()) return {root};
  return {root + path, root};
}

std::vector<std::string> issuer_metadata_addresses(const std::string& issuer) {
  const std::string origin = origin_text(issuer);
  std::string path = path_of(issuer);
  while (path.ends_with('/')) path.pop_back();
  std::vector<std::string> addresses = {origin + "/.well-known/oauth-authorization-server" + path,
                                        origin + "/.well-known/openid-configuration" + path};
  if (!path.empty()) addresses.push_back(origin + path + "/.well-known/openid-configuration");
  return addresses;
}

Result<void> check_address(const std::string& url, const std::string& server_url, const std::string& what) {
  const auto refused = [&](const std::string& why) -> Result<void> {
    return fail(ErrorKind::BackendError, what + " is refused: " + why + ".",
                "Ask whoever runs the server to correct it.");
  };
  const bool plain = std::ranges::all_of(url, [](char c) { return c > 0x20 && c < 0x7F; });
  const auto origin = http::origin_of(url);
  // curl accepts other spellings, such as a single slash: do not guess their host.
  if (!origin || !plain || url.size() > kMaxAddress || !lower_case(url).starts_with(origin->scheme + "://"))
    return refused("it is not an http or https address");
  const std::size_t authority = url.find("://") + 3;
  if (url.substr(authority, url.find_first_of("/?#", authority) - authority).find('@') != std::string::npos)
    return refused("it contains a user name");
  if (origin->scheme != "https" && !origin->loopback())
    return refused("it is not https: " + shown(origin->scheme + "://" + origin->place()));
  const auto server = http::origin_of(server_url);
  const bool same_host = server && server->host == origin->host;
  if (origin->loopback() && !(server && server->loopback()))
    return refused("it is on this machine, and the server is not");
  if (!origin->loopback() && !same_host && is_private(origin->host))
    return refused("it is a private address: " + shown(origin->place()));
  return {};
}

wire::Fields ResourceMetadata::fields() {
  return {wire::field<&ResourceMetadata::resource>(),
          wire::named_field<&ResourceMetadata::issuers>("authorization_servers"),
          wire::named_field<&ResourceMetadata::scopes>("scopes_supported")};
}

wire::Fields IssuerMetadata::fields() {
  using Issuer = IssuerMetadata;
  return {
      wire::field<&Issuer::issuer>(),
      wire::field<&Issuer::authorization_endpoint>(),
      wire::field<&Issuer::token_endpoint>(),
      wire::field<&Issuer::registration_endpoint>(),
      wire::field<&Issuer::revocation_endpoint>(),
      wire::named_field<&Issuer::scopes>("scopes_supported"),
      wire::named_field<&Issuer::challenge_methods>("code_challenge_methods_supported"),
      wire::named_field<&Issuer::token_endpoint_auth_methods>("token_endpoint_auth_methods_supported"),
      wire::named_field<&Issuer::metadata_documents>("client_id_metadata_document_supported"),
      wire::named_field<&Issuer::says_issuer>("authorization_response_iss_parameter_supported"),
  };
}

Result<ResourceMetadata> read_resource_metadata(const json& document, const std::string& server_url) {
  ResourceMetadata metadata;
  wire::read_fitting(document, metadata);
  const std::string ours = path_of(server_url), theirs = path_of(metadata.resource);
  const bool above =
      ours == theirs || (ours.starts_with(theirs) && (theirs.ends_with('/') || ours[theirs.size()] == '/'));
  const std::string origin = origin_text(metadata.resource);
  if (origin.empty() || origin != origin_text(server_url) || !above ||
      metadata.resource.find('#') != std::string::npos)
    return fail(ErrorKind::BackendError,
                "The metadata of the protected resource is for '" + shown(metadata.resource) + "', not for " +
                    canonical_resource(server_url) + ".",
                "Correct 'url' of the server, or ask whoever runs it: leanbridge requests no token for "
                "another resource.");
  if (metadata.issuers.empty())
    return fail(ErrorKind::BackendError,
                "The metadata of the protected resource names no authorization server.",
                "Configure a token, or ask whoever runs the server.");
  return metadata;
}

Result<IssuerMetadata> read_issuer_metadata(const json& document, const std::string& issuer,
                                            const std::string& server_url) {
  IssuerMetadata metadata;
  wire::read_fitting(document, metadata);
  if (metadata.issuer != issuer)
    return fail(ErrorKind::BackendError,
                "The authorization server " + shown(issuer) + " calls itself '" + shown(metadata.issuer) +
                    "': its metadata is refused.",
                "Ask whoever runs the server: both must match exactly.");
  const std::pair<const std::string&, const char*> endpoints[] = {
      {metadata.authorization_endpoint, "The address for authorization"},
      {metadata.token_endpoint, "The address for tokens"},
      {metadata.registration_endpoint, "The address for registration"},
      {metadata.revocation_endpoint, "The address for revocation"}};
  for (const auto& [address, what] : endpoints)
    if (!address.empty()) {
      TRY_DONE(check_address(address, server_url, what));
    }
  if (metadata.token_endpoint.empty())
    return fail(ErrorKind::BackendError,
                "The authorization server " + shown(issuer) + " names no address for tokens.",
                "Ask whoever runs it.");
  return metadata;
}

// --- Requests: from the MCP server to the metadata of its authorization server.

namespace {

constexpr std::size_t kMaxDocument = 256u << 10;

tl::unexpected<Error> unreachable(const std::string& what, const http::Failure& failure) {
  if (failure.kind == http::Failure::Kind::Cancelled) return call_cancelled();
  return fail(ErrorKind::BackendUnavailable, what + " cannot be reached: " + failure.message,
              "Try again later, or check the network.");
}

struct Published {
  json document;   ///< the first one that is a JSON object; null: there is none
  int status = 0;  ///< of the last answer
};

// Fetches a document from the first place that has it. Does not follow redirects: their targets are
// unchecked, and metadata has fixed places. `what` names it in the error if no place can be reached.
asio::awaitable<Result<Published>> find_document(http::Client& http, std::vector<std::string> addresses,
                                                 std::string what, io::CancelScope scope) {
  std::optional<http::Failure> failure;
  Published found;
  for (const std::string& each : addresses) {
    http::Request request;
    request.url = each;
    request.headers = {{"Accept", "application/json"},
                       {"MCP-Protocol-Version", std::string(mcp::kModernRevisions.front())}};
    request.max_body = kMaxDocument;
    request.max_redirects = 0;
    const auto response = co_await http.send(std::move(request), scope);
    if (!response) {
      failure = response.error();
      if (failure->kind == http::Failure::Kind::Redirects) continue;
      break;
    }
    found.status = response->status;
    found.document = read_json(response->body);
    if (found.status == 200 && found.document.is_object()) co_return found;
  }
  if (failure) co_return unreachable(what, *failure);
  co_return Published{json(), found.status};
}

// The first message of a connection, or the request for its stream.
http::Request probe_request(const ServerConfig& server, const std::string& method) {
  const std::string revision(mcp::kModernRevisions.front());
  http::Request request;
  request.url = server.url;
  for (const auto& [name, value] : server.headers) request.headers.emplace_back(name, value.reveal());
  request.max_redirects = 0;
  if (server.transport == TransportKind::Sse) {
    request.headers.emplace_back("Accept", "text/event-stream");
    return request;
  }
  request.method = "POST";
  for (const auto& [name, value] : http::Headers{{"Content-Type", "application/json"},
                                                 {"Accept", "application/json, text/event-stream"},
                                                 {"MCP-Protocol-Version", revision},
                                                 {"Mcp-Method", method}})
    request.headers.emplace_back(name, value);
  const json meta = {{mcp::kMetaProtocolVersion, revision},
                     {mcp::kMetaClientCapabilities, json::object()},
                     {mcp::kMetaClientInfo, {{"name", "leanbridge"}, {"version", "1"}}}};
  request.body =
      json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", {{"_meta", meta}}}}.dump();
  return request;
}

}  // namespace

asio::awaitable<Result<BearerChallenge>> ask_challenge(http::Client& http, ServerConfig server,
                                                       io::CancelScope scope) {
  for (const char* method : {"server/discover", "tools/list"}) {
    // Reads only the head: the rest may be an endless stream.
    const auto head = std::make_shared<http::Response>();
    io::CancelScope until_head = scope;
    until_head.cancel = std::make_shared<io::CancelSource>();
    http::StreamEvents events;
    events.on_headers = [head, enough = until_head.cancel](const http::Response& answer) {
      *head = answer;
      enough->cancel();
    };
    events.on_bytes = [](std::string_view) {};
    const auto ended = co_await http.stream(probe_request(server, method), std::move(events), until_head);
    if (!ended && head->status == 0) co_return unreachable("The server " + server.name, ended.error());
    if (head->status == 401) co_return bearer_challenge(challenges_of(*head)).value_or(BearerChallenge());
    if (server.transport == TransportKind::Sse) break;
  }
  co_return BearerChallenge();
}

asio::awaitable<Result<std::optional<ResourceMetadata>>> find_resource_metadata(http::Client& http,
                                                                                std::string server_url,
                                                                                std::string address,
                                                                                io::CancelScope scope) {
  const bool named = !address.empty();
  if (named) {
    CO_CHECK(check_address(address, server_url, "The address of the protected resource's metadata"));
  }
  std::vector<std::string> addresses = resource_metadata_addresses(server_url);
  if (named) addresses = {address};
  CO_TRY(const auto found,
         co_await find_document(http, std::move(addresses), "The protected resource's metadata", scope));
  if (found.document.is_object()) co_return read_resource_metadata(found.document, server_url);
  if (named)
    co_return fail(ErrorKind::BackendError,
                   "The server names an address for its metadata, but there is none: HTTP " +
                       std::to_string(found.status) + ".",
                   "Ask whoever runs the server.");
  co_return std::optional<ResourceMetadata>();
}

asio::awaitable<Result<IssuerMetadata>> find_issuer_metadata(http::Client& http, std::string issuer,
                                                             std::string server_url, io::CancelScope scope) {
  CO_CHECK(check_address(issuer, server_url, "The authorization server"));
  const std::string what = "The authorization server " + printable(issuer);
  CO_TRY(const auto found, co_await find_document(http, issuer_metadata_addresses(issuer), what, scope));
  if (found.document.is_object()) co_return read_issuer_metadata(found.document, issuer, server_url);
  co_return fail(
      ErrorKind::BackendError, what + " publishes no metadata.",
      "Configure client_id, authorization_url and token_url in [servers.auth], or ask whoever runs it.");
}

}  // namespace leanbridge::upstream
