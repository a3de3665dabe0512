#pragma once
/// Finds the authorization server of an MCP server: reads the `WWW-Authenticate` header of a 401 or 403 (RFC
/// 9110 11.6.1, RFC 6750 3, RFC 9728 5.1), then the metadata documents, and checks them (RFC 9728, RFC 8414,
/// OpenID Connect Discovery).

#include "core/base/error.hpp"
#include "core/base/json_struct.hpp"
#include "core/io/condition.hpp"
#include "gateway/upstream/config.hpp"
#include "http/client.hpp"
#include <nlohmann/json.hpp>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace leanbridge::upstream {

// --- the WWW-Authenticate header of a 401 or 403

/// Space-separated scopes, without duplicates and without words that RFC 6749 3.3 does not allow.
using Scopes = std::set<std::string>;
Scopes split_scopes(const std::string& text);
std::string join_scopes(const Scopes& scopes);

/// The relevant parameters of a Bearer challenge; "" if missing.
struct BearerChallenge {
  std::string resource_metadata;  ///< the address of the resource's metadata
  std::string scope;
  std::string error;  ///< "invalid_token", "insufficient_scope", ...
};

/// The first Bearer challenge of the header, which may also contain other schemes; join several headers by ",
/// ". nullopt if there is none.
std::optional<BearerChallenge> bearer_challenge(const std::string& www_authenticate);

/// All WWW-Authenticate headers of an answer, joined by ", ".
std::string challenges_of(const http::Response& answer);

// --- addresses and documents

/// The server's address as a resource identifier (RFC 8707): scheme and host in lower case, without default
/// port, query, fragment, or a path of only "/".
std::string canonical_resource(const std::string& url);
/// "https://host:port" without a default port; "" if `url` is not a URL.
std::string origin_text(const std::string& url);

/// Places to look for the resource's metadata, in this order, if the server does not name one.
std::vector<std::string> resource_metadata_addresses(const std::string& server_url);
/// Places to look for an issuer's metadata, in this order.
std::vector<std::string> issuer_metadata_addresses(const std::string& issuer);

/// Whether an address from a server may be used: https, or http on this machine; no user name or control
/// characters; this machine, or a private or link-local address, only if the MCP server itself is there.
/// `what` names it in the error.
Result<void> check_address(const std::string& url, const std::string& server_url, const std::string& what);

struct ResourceMetadata {
  std::string resource;              ///< as published; sent unchanged as `resource`
  std::vector<std::string> issuers;  ///< has at least one
  std::vector<std::string> scopes;

  static wire::Fields fields();
};
/// Reads the metadata. `resource` must cover the server's address: same origin, and a path equal to or above
/// it.
Result<ResourceMetadata> read_resource_metadata(const nlohmann::json& document,
                                                const std::string& server_url);

struct IssuerMetadata {
  std::string issuer;
  std::string authorization_endpoint;
  std::string token_endpoint;
  std::string registration_endpoint;  ///< "": none
  std::string revocation_endpoint;    ///< "": none
  std::vector<std::string> scopes;
  std::vector<std::string> challenge_methods;                           ///< for PKCE
  std::optional<std::vector<std::string>> token_endpoint_auth_methods;  ///< nullopt: not published
  bool metadata_documents = false;  ///< accepts an https address as client_id
  bool says_issuer = false;         ///< authorization responses contain `iss`
  bool by_hand = false;             ///< configured by the user instead of published

  static wire::Fields fields();
};
/// Reads the metadata. `issuer` must equal the requested one, byte for byte; the endpoints must pass
/// check_address().
Result<IssuerMetadata> read_issuer_metadata(const nlohmann::json& document, const std::string& issuer,
                                            const std::string& server_url);

// --- requests

/// The server's WWW-Authenticate for a request without a token; an empty challenge if the server does not
/// object. Sends the first message of a connection, then tools/list, since some servers object only to a real
/// request.
asio::awaitable<Result<BearerChallenge>> ask_challenge(http::Client& http, ServerConfig server,
                                                       io::CancelScope scope);

/// Fetches the resource's metadata from `address`, or from the well-known places. nullopt if the latter have
/// none: servers of 2025-03-26 have no metadata and are their own issuer.
asio::awaitable<Result<std::optional<ResourceMetadata>>> find_resource_metadata(http::Client& http,
                                                                                std::string server_url,
                                                                                std::string address,
                                                                                io::CancelScope scope);

asio::awaitable<Result<IssuerMetadata>> find_issuer_metadata(http::Client& http, std::string issuer,
                                                             std::string server_url, io::CancelScope scope);

}  // namespace leanbridge::upstream
