#include "client_registration.hpp"

#include "leanbridge/base/try.hpp"

#include "token_requests.hpp"
#include "upstream/transport/incoming.hpp"

#include <charconv>

namespace leanbridge::upstream {

namespace {

unsigned short port_in(const std::string& text) {
  unsigned port = 0;
  std::from_chars(text.data(), text.data() + text.size(), port);
  return port <= 65'535 ? static_cast<unsigned short>(port) : 0;
}

unsigned short configured_port(const ServerConfig& server) {
  return port_in(server.auth_parameter("redirect_port"));
}

unsigned short port_of_redirect(const std::string& redirect_uri) {
  const auto origin = http::origin_of(redirect_uri);
  return origin ? port_in(origin->port) : 0;
}

Result<ChosenClient> with_listener(const ClientChoice& choice, ClientCredentials client) {
  TRY(auto listener, RedirectListener::open(choice.context, configured_port(choice.server)));
  return ChosenClient{std::move(client), std::move(listener)};
}

// A registration works only with its own port: issuers compare addresses literally, whatever RFC 8252 says.
std::optional<ChosenClient> registered_before(const ClientChoice& choice) {
  auto saved = choice.store.client(choice.issuer.issuer);
  if (!saved || !*saved) return std::nullopt;
  ClientCredentials client = std::move(**saved);
  if (client.expires_at != 0 && unix_now() >= client.expires_at) return std::nullopt;
  const unsigned short port =
      client.redirect_uri.empty() ? configured_port(choice.server) : port_of_redirect(client.redirect_uri);
  auto listener = RedirectListener::open(choice.context, port);
  if (!listener) return std::nullopt;
  return ChosenClient{std::move(client), std::move(*listener)};
}

// The user named the recipient, or the secret goes where the user sends everything else.
bool may_have_secret(const ServerConfig& server, const LoginOptions& options, const IssuerMetadata& issuer) {
  if (issuer.by_hand || chosen_issuer(server, options) == issuer.issuer) return true;
  const std::string own = origin_text(server.url);
  return origin_text(issuer.issuer) == own && origin_text(issuer.token_endpoint) == own &&
         (issuer.revocation_endpoint.empty() || origin_text(issuer.revocation_endpoint) == own);
}

}  // namespace

std::string chosen_issuer(const ServerConfig& server, const LoginOptions& options) {
  return options.issuer.empty() ? server.auth_parameter("issuer") : options.issuer;
}

Result<std::optional<ClientCredentials>> configured_client(const ServerConfig& server,
                                                           const LoginOptions& options,
                                                           const IssuerMetadata& issuer) {
  ClientCredentials client;
  client.issuer = issuer.issuer;
  client.id = options.client_id;
  client.secret = options.client_secret;
  if (client.id.empty() && server.auth) {
    client.id = server.auth->client_id;
    client.secret = server.auth->client_secret;
  }
  if (client.id.empty()) return std::nullopt;
  if (!client.secret.empty() && !may_have_secret(server, options, issuer))
    return fail(ErrorKind::InvalidArgument,
                "The client_secret of " + server.name + " is not sent to " + printable(issuer.issuer) +
                    ": only the server names that issuer, not the configuration.",
                "If the client is registered there, set issuer = \"" + printable(issuer.issuer) +
                    "\" in [servers.auth] of " + server.name + ", or pass --issuer.");
  client.auth_method = choose_auth_method(issuer, !client.secret.empty());
  return client;
}

asio::awaitable<Result<ChosenClient>> choose_client(const ClientChoice& choice, io::CancelScope scope) {
  auto configured = configured_client(choice.server, choice.options, choice.issuer);
  if (!configured) co_return tl::unexpected(configured.error());
  if (auto& client = *configured) {
    if (!choice.options.client_id.empty())
      if (auto saved = choice.store.save_client(*client); !saved) co_return tl::unexpected(saved.error());
    co_return with_listener(choice, std::move(*client));
  }
  if (choice.issuer.metadata_documents && choice.options.client_metadata_url.starts_with("https://")) {
    ClientCredentials client;
    client.issuer = choice.issuer.issuer;
    client.id = choice.options.client_metadata_url;
    client.auth_method = ClientAuthMethod::None;
    co_return with_listener(choice, std::move(client));
  }
  if (auto before = registered_before(choice)) co_return std::move(*before);
  if (choice.issuer.registration_endpoint.empty())
    co_return fail(
        ErrorKind::InvalidArgument,
        "The authorization server " + printable(choice.issuer.issuer) +
            " does not register clients automatically, and no client_id is configured.",
        "Register a client there manually, with the redirect address http://127.0.0.1/callback, then run "
        "`leanbridge mcp auth login " +
            choice.server.name + " --client-id ID`.");
  CO_TRY(auto listener, RedirectListener::open(choice.context, configured_port(choice.server)));
  CO_TRY(auto client, co_await register_client(choice.http, choice.issuer, listener->redirect_uri(),
                                               choice.scope_wanted, scope));
  CO_CHECK(choice.store.save_client(client));
  ChosenClient chosen;
  chosen.client = std::move(client);
  chosen.listener = std::move(listener);
  co_return chosen;
}

}  // namespace leanbridge::upstream
