#pragma once
/// Chooses the client identity for a login.

#include "gateway/upstream/oauth.hpp"
#include "metadata.hpp"

namespace leanbridge::upstream {

/// The client that the options or the configuration name, if any. A client with a secret is used only with
/// the issuer that the user named, whatever addresses that issuer publishes; if the user named none, only
/// with the server's own origin. Otherwise the server could choose the recipient of the secret:
/// InvalidArgument, naming the issuer.
Result<std::optional<ClientCredentials>> configured_client(const ServerConfig& server,
                                                           const LoginOptions& options,
                                                           const IssuerMetadata& issuer);

}  // namespace leanbridge::upstream
