#pragma once
/// Which client a login uses and the port it listens on: they belong together, since the port is part of a
/// registration.

#include "leanbridge/http/client.hpp"
#include "leanbridge/upstream/oauth.hpp"

#include "metadata.hpp"
#include "redirect_listener.hpp"

namespace leanbridge::upstream {

struct ChosenClient {
  ClientCredentials client;
  std::shared_ptr<RedirectListener> listener;
};

/// Everything must outlive the choice.
struct ClientChoice {
  asio::io_context& context;
  http::Client& http;
  const TokenStore& store;
  const ServerConfig& server;
  const LoginOptions& options;
  const IssuerMetadata& issuer;
  std::string scope_wanted;
};

/// The issuer named by the user, or "".
std::string chosen_issuer(const ServerConfig& server, const LoginOptions& options);

/// The client named by the options or the configuration, if any. A client with a secret is used only with the
/// issuer that the user named, whatever addresses that issuer publishes; if the user named none, only with
/// the server's own origin. Otherwise the server could decide who gets the secret: InvalidArgument, naming
/// the issuer.
Result<std::optional<ClientCredentials>> configured_client(const ServerConfig& server,
                                                           const LoginOptions& options,
                                                           const IssuerMetadata& issuer);

/// In this order: the configured client; the address of our metadata, if the issuer accepts one; an earlier
/// registration, if its port is free; a new registration. InvalidArgument if the user has to register one.
asio::awaitable<Result<ChosenClient>> choose_client(const ClientChoice& choice, io::CancelScope scope);

}  // namespace leanbridge::upstream
