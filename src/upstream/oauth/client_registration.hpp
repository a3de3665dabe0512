#pragma once
/// What a login is known by at the authorization server, and the port it waits at: the two belong together,
/// since the port is part of a registration.

#include "leanbridge/http/client.hpp"
#include "leanbridge/upstream/oauth.hpp"

#include "metadata.hpp"
#include "redirect_listener.hpp"

namespace leanbridge::upstream {

struct ChosenClient {
  ClientCredentials client;
  std::shared_ptr<RedirectListener> listener;
};

/// All of it outlives the choice.
struct ClientChoice {
  asio::io_context& context;
  http::Client& http;
  const TokenStore& store;
  const ServerConfig& server;
  const LoginOptions& options;
  const IssuerMetadata& issuer;
  std::string scope_wanted;
};

/// The issuer that the user has named; "": none.
std::string chosen_issuer(const ServerConfig& server, const LoginOptions& options);

/// The client that the options or the configuration name; nothing where they name none. One with a secret is
/// for the issuer that the user has named, with whatever addresses that one publishes; without such a name,
/// for the server's own origin, and for no address beyond that. InvalidArgument, which names the issuer,
/// where it is another one: the server itself would else say who gets the secret.
Result<std::optional<ClientCredentials>> configured_client(const ServerConfig& server,
                                                           const LoginOptions& options,
                                                           const IssuerMetadata& issuer);

/// In this order: the configured one; the address of our metadata, where the issuer takes such; what was
/// registered there before, if its port is free; a registration. InvalidArgument where the user has to
/// register one by hand.
asio::awaitable<Result<ChosenClient>> choose_client(const ClientChoice& choice, io::CancelScope scope);

}  // namespace leanbridge::upstream
