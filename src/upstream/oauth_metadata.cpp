#include "oauth_metadata.hpp"

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/base/json.hpp"
#include "leanbridge/http/client.hpp"

#include "incoming.hpp"
#include <boost/asio/ip/address.hpp>

#include <algorithm>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

constexpr std::size_t kLongestAddress = 4096;
constexpr std::size_t kLongestShown = 200;

std::string shown(const std::string& text) {
  return printable(std::string_view(text).substr(0, kLongestShown));
}

// From the first "/" after the authority; "" where there is none. Neither query nor fragment.
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

// An address by number that no public authorization server has.
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
                "Ask who runs the server to correct it.");
  };
  const bool plain = std::all_of(url.begin(), url.end(), [](char c) { return c > 0x20 && c < 0x7F; });
  const auto origin = http::origin_of(url);
  // curl takes other spellings, such as one slash; where the host stands in those is not for us to guess.
  if (!origin || !plain || url.size() > kLongestAddress ||
      !lower_case(url).starts_with(origin->scheme + "://"))
    return refused("it is no http or https address");
  const std::size_t authority = url.find("://") + 3;
  if (url.substr(authority, url.find_first_of("/?#", authority) - authority).find('@') != std::string::npos)
    return refused("it holds a user name");
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
    return fail(
        ErrorKind::BackendError,
        "The metadata of the protected resource is for '" + shown(metadata.resource) + "', not for " +
            canonical_resource(server_url) + ".",
        "Correct 'url' of the server, or ask who runs it: a token for another resource is not asked for.");
  if (metadata.issuers.empty())
    return fail(ErrorKind::BackendError,
                "The metadata of the protected resource names no authorization server.",
                "Configure a token, or ask who runs the server.");
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
                "Ask who runs the server: both must be equal, character by character.");
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
                "Ask who runs it.");
  return metadata;
}

}  // namespace leanbridge::upstream
