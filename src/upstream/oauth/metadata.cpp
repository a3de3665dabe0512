#include "metadata.hpp"

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/base/json.hpp"
#include "leanbridge/base/try.hpp"
#include "leanbridge/http/client.hpp"
#include "leanbridge/mcp/revision.hpp"

#include "upstream/transport/incoming.hpp"
#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <map>
#include <sstream>

namespace leanbridge::upstream {

using nlohmann::json;

// --- the WWW-Authenticate header

namespace {

// A cursor in the header. Malformed input ends the reading; earlier parameters count.
class ChallengeReader {
 public:
  explicit ChallengeReader(const std::string& text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  char look() const { return at_end() ? '\0' : text_[at_]; }
  void blanks() {
    while (look() == ' ' || look() == '\t') ++at_;
  }
  void separators() {
    while (look() == ' ' || look() == '\t' || look() == ',') ++at_;
  }
  bool take(char c) {
    if (look() != c) return false;
    ++at_;
    return true;
  }
  std::string token() {
    std::string word;
    while (!at_end() && http::is_token_char(look())) word += text_[at_++];
    return word;
  }
  // A token, or a quoted string with its escapes.
  std::string value() {
    if (!take('"')) return token();
    std::string word;
    while (!at_end() && look() != '"') {
      if (look() == '\\' && at_ + 1 < text_.size()) ++at_;
      word += text_[at_++];
    }
    take('"');
    return word;
  }
  // Skips the rest of a token68, as in `Negotiate YII/...==`. Always advances.
  void skip_rest_of_word() {
    while (!at_end() && look() != ',' && look() != ' ') ++at_;
    if (!at_end()) ++at_;
  }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
};

bool is_scope(const std::string& word) {
  return std::all_of(word.begin(), word.end(),
                     [](char c) { return c > 0x20 && c < 0x7F && c != '"' && c != '\\'; });
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
  std::string text;
  for (const std::string& scope : scopes) text += (text.empty() ? "" : " ") + scope;
  return text;
}

std::string challenges_of(const http::Response& answer) {
  std::string joined;
  for (const auto& [name, value] : answer.headers)
    if (name == "www-authenticate") joined += (joined.empty() ? "" : ", ") + value;
  return joined;
}

std::optional<BearerChallenge> bearer_challenge(const std::string& www_authenticate) {
  ChallengeReader reader(www_authenticate);
  bool bearer = false;  // whether the current scheme is Bearer
  std::map<std::string, std::string> parameters;
  for (reader.separators(); !reader.at_end(); reader.separators()) {
    const std::string word = lower_case(reader.token());
    reader.blanks();
    if (reader.take('=')) {
      reader.blanks();
      std::string value = reader.value();
      if (bearer) parameters.emplace(word, std::move(value));  // the first one counts
    } else if (bearer) {
      break;  // the next scheme begins
    } else {
      bearer = word == "bearer";
    }
    if (!bearer || word.empty()) reader.skip_rest_of_word();
  }
  if (!bearer) return std::nullopt;
  return BearerChallenge{parameters["resource_metadata"], parameters["scope"], parameters["error"]};
}

// --- addresses and documents

namespace {

constexpr std::size_t kMaxAddress = 4096;
constexpr std::size_t kMaxShown = 200;

std::string shown(const std::string& text) {
  return printable(std::string_view(text).substr(0, kMaxShown));
}

// The path of a URL, without query and fragment; "" if there is none.
std::string path_of(const std::string& url) {
  const std::size_t authority = url.find("://");
  if (authority == std::string::npos) return "";
  const std::size_t start = url.find_first_of("/?#", authority + 3);
  if (start == std::string::npos || url[start] != '/') return "";
  std::string path = url.substr(start, url.find_first_of("?#", start) - start);
  return path == "/" ? "" : path;
}

std::optional<std::vector<std::string>> texts_member(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_array()) return std::nullopt;
  std::vector<std::string> texts;
  for (const json& each : *found)
    if (each.is_string()) texts.push_back(each.get<std::string>());
  return texts;
}

// A numeric address that no public authorization server has.
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
  const bool plain = std::all_of(url.begin(), url.end(), [](char c) { return c > 0x20 && c < 0x7F; });
  const auto origin = http::origin_of(url);
  // curl accepts other spellings, such as a single slash; do not guess where their host is.
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

Result<ResourceMetadata> read_resource_metadata(const json& document, const std::string& server_url) {
  ResourceMetadata metadata;
  if (document.is_object()) {
    metadata.resource = text_member(document, "resource");
    metadata.issuers = texts_member(document, "authorization_servers").value_or(std::vector<std::string>());
    metadata.scopes = texts_member(document, "scopes_supported").value_or(std::vector<std::string>());
  }
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
  const json object = document.is_object() ? document : json::object();
  IssuerMetadata metadata;
  metadata.issuer = text_member(object, "issuer");
  if (metadata.issuer != issuer)
    return fail(ErrorKind::BackendError,
                "The authorization server " + shown(issuer) + " calls itself '" + shown(metadata.issuer) +
                    "': its metadata is refused.",
                "Ask whoever runs the server: both must match exactly.");
  metadata.authorization_endpoint = text_member(object, "authorization_endpoint");
  metadata.token_endpoint = text_member(object, "token_endpoint");
  metadata.registration_endpoint = text_member(object, "registration_endpoint");
  metadata.revocation_endpoint = text_member(object, "revocation_endpoint");
  metadata.scopes = texts_member(object, "scopes_supported").value_or(std::vector<std::string>());
  metadata.challenge_methods =
      texts_member(object, "code_challenge_methods_supported").value_or(std::vector<std::string>());
  metadata.token_endpoint_auth_methods = texts_member(object, "token_endpoint_auth_methods_supported");
  metadata.metadata_documents = is_true(object, "client_id_metadata_document_supported");
  metadata.says_issuer = is_true(object, "authorization_response_iss_parameter_supported");
  const std::pair<const std::string&, const char*> endpoints[] = {
      {metadata.authorization_endpoint, "The address for authorization"},
      {metadata.token_endpoint, "The address for tokens"},
      {metadata.registration_endpoint, "The address for registration"},
      {metadata.revocation_endpoint, "The address for revocation"}};
  for (const auto& [address, what] : endpoints)
    if (!address.empty())
      if (auto checked = check_address(address, server_url, what); !checked)
        return tl::unexpected(checked.error());
  if (metadata.token_endpoint.empty())
    return fail(ErrorKind::BackendError,
                "The authorization server " + shown(issuer) + " names no address for tokens.",
                "Ask whoever runs it.");
  return metadata;
}

// --- Requests: from the MCP server to the metadata of its authorization server.

namespace {

constexpr std::size_t kMaxDocument = 256u << 10;

Error unreachable(const std::string& what, const http::Failure& failure) {
  if (failure.kind == http::Failure::Kind::Cancelled)
    return Error(ErrorKind::Cancelled, "The call was cancelled.");
  return Error(ErrorKind::BackendUnavailable, what + " cannot be reached: " + failure.message,
               "Try again later, or check the network.");
}

// Redirects are not followed: their targets are unchecked, and metadata has fixed places.
asio::awaitable<tl::expected<http::Response, http::Failure>> get(http::Client& http, std::string address,
                                                                 io::CancelScope scope) {
  http::Request request;
  request.url = std::move(address);
  request.headers = {{"Accept", "application/json"},
                     {"MCP-Protocol-Version", std::string(mcp::kModernRevisions.front())}};
  request.max_body = kMaxDocument;
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
  for (const auto& [name, value] : server.headers) request.headers.emplace_back(name, value.reveal());
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

// Reads only the head: the rest may be an endless stream.
asio::awaitable<tl::expected<Heard, http::Failure>> ask_once(http::Client& http, http::Request request,
                                                             io::CancelScope scope) {
  auto heard = std::make_shared<Heard>();
  auto enough = std::make_shared<io::CancelSource>();
  http::StreamEvents events;
  events.on_headers = [heard, enough](const http::Response& head) {
    heard->status = head.status;
    heard->challenge = challenges_of(head);
    enough->cancel();
  };
  events.on_bytes = [](std::string_view) {};
  io::CancelScope inner = scope;
  inner.cancel = enough;
  const auto ended = co_await http.stream(std::move(request), std::move(events), inner);
  if (!ended && heard->status == 0) co_return tl::unexpected(ended.error());
  co_return *heard;
}

}  // namespace

asio::awaitable<Result<BearerChallenge>> ask_challenge(http::Client& http, ServerConfig server,
                                                       io::CancelScope scope) {
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
                                                                                io::CancelScope scope) {
  const std::vector<std::string> addresses =
      address.empty() ? resource_metadata_addresses(server_url) : std::vector<std::string>{address};
  for (const std::string& each : addresses) {
    CO_CHECK(check_address(each, server_url, "The address of the protected resource's metadata"));
    const auto response = co_await get(http, each, scope);
    if (!response)
      co_return tl::unexpected(unreachable("The protected resource's metadata", response.error()));
    const json document = read_json(response->body);
    if (response->status == 200 && document.is_object()) {
      CO_TRY(auto metadata, read_resource_metadata(document, server_url));
      co_return std::optional<ResourceMetadata>(std::move(metadata));
    }
    if (!address.empty())
      co_return fail(ErrorKind::BackendError,
                     "The server names an address for its metadata, but there is none: HTTP " +
                         std::to_string(response->status) + ".",
                     "Ask whoever runs the server.");
  }
  co_return std::optional<ResourceMetadata>();
}

asio::awaitable<Result<IssuerMetadata>> find_issuer_metadata(http::Client& http, std::string issuer,
                                                             std::string server_url, io::CancelScope scope) {
  CO_CHECK(check_address(issuer, server_url, "The authorization server"));
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
      "Configure client_id, authorization_url and token_url in [servers.auth], or ask whoever runs it.");
}

}  // namespace leanbridge::upstream
