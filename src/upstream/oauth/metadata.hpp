#pragma once
/// The documents that lead from an MCP server to its authorization server: where they are, and what they must
/// say (RFC 9728, RFC 8414, OpenID Connect Discovery). No I/O.

#include "leanbridge/base/error.hpp"
#include "leanbridge/http/client.hpp"
#include "leanbridge/io/condition.hpp"
#include "leanbridge/upstream/config.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace leanbridge::upstream {

// --- the WWW-Authenticate header of a 401 or 403

/// Space-separated scopes, without repetition and without what RFC 6749 3.3 does not allow in one.
using Scopes = std::set<std::string>;
Scopes split_scopes(const std::string& text);
std::string join_scopes(const Scopes& scopes);

/// The parameters of a Bearer challenge that matter here; "" where one is missing.
struct BearerChallenge {
  std::string resource_metadata;  ///< the address of the protected resource's metadata
  std::string scope;
  std::string error;  ///< "invalid_token", "insufficient_scope", ...
};

/// The first Bearer challenge of the header, which may hold those of other schemes, too. Several headers are
/// joined by ", ". Nothing where there is none.
std::optional<BearerChallenge> bearer_challenge(const std::string& www_authenticate);

/// All WWW-Authenticate headers of an answer, joined by ", ".
std::string challenges_of(const http::Response& answer);

// --- addresses and documents

/// The server's address as the name of a protected resource (RFC 8707): scheme and host in lower case,
/// without default port, query, fragment and a path that is only "/".
std::string canonical_resource(const std::string& url);
/// "https://host:port" without a default port; "" for what is no URL.
std::string origin_text(const std::string& url);

/// Where the metadata of the resource is looked for, in this order, when the server does not say.
std::vector<std::string> resource_metadata_addresses(const std::string& server_url);
/// Where an issuer's metadata is looked for, in this order.
std::vector<std::string> issuer_metadata_addresses(const std::string& issuer);

/// Whether an address that came from a server may be used: https, or http on this machine; neither user nor
/// control characters in it; this machine, or a private or link-local address, only where the MCP server
/// itself is there. `what` names it in the error.
Result<void> check_address(const std::string& url, const std::string& server_url, const std::string& what);

struct ResourceMetadata {
  std::string resource;              ///< as published: goes into the `resource` parameters unchanged
  std::vector<std::string> issuers;  ///< at least one
  std::vector<std::string> scopes;
};
/// The `resource` must be the server's address or a part of it: same origin, the path equal or one above it.
Result<ResourceMetadata> read_resource_metadata(const nlohmann::json& document,
                                                const std::string& server_url);

struct IssuerMetadata {
  std::string issuer;
  std::string authorization_endpoint;
  std::string token_endpoint;
  std::string registration_endpoint;  ///< "": none
  std::string revocation_endpoint;    ///< "": none
  std::vector<std::string> scopes;
  std::vector<std::string> challenge_methods;                           ///< of PKCE
  std::optional<std::vector<std::string>> token_endpoint_auth_methods;  ///< nothing: not said
  bool metadata_documents = false;  ///< takes an https address as client_id
  bool says_issuer = false;         ///< authorization responses hold `iss`
  bool by_hand = false;             ///< the user has written all of it down; nothing was published
};
/// `issuer` must be the one that was asked for, byte for byte; the endpoints must pass check_address().
Result<IssuerMetadata> read_issuer_metadata(const nlohmann::json& document, const std::string& issuer,
                                            const std::string& server_url);

// --- requests

/// What the server answers to a request without token, by its WWW-Authenticate; an empty challenge where it
/// does not object. Asked like the first message of a connection, then like one for its tools, since servers
/// may answer strangers as long as they ask for nothing.
asio::awaitable<Result<BearerChallenge>> ask_challenge(http::Client& http, ServerConfig server,
                                                       io::CancelScope scope);

/// Looked for where `address` says, or in the well-known places. Nothing where there is none in the latter:
/// servers of 2025-03-26 have none, and are their own issuer.
asio::awaitable<Result<std::optional<ResourceMetadata>>> find_resource_metadata(http::Client& http,
                                                                                std::string server_url,
                                                                                std::string address,
                                                                                io::CancelScope scope);

asio::awaitable<Result<IssuerMetadata>> find_issuer_metadata(http::Client& http, std::string issuer,
                                                             std::string server_url, io::CancelScope scope);

}  // namespace leanbridge::upstream
