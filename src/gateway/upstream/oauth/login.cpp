// The login: from the server's challenge to a saved token.

#include "login.hpp"

#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "gateway/upstream/oauth.hpp"
#include "gateway/upstream/transport/incoming.hpp"
#include "http/client.hpp"
#include "redirect_listener.hpp"
#include "token_requests.hpp"

#include <algorithm>
#include <charconv>

namespace leanbridge::upstream {

namespace {

constexpr std::size_t kStateBytes = 24, kVerifierBytes = 48;

bool lists(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

unsigned short port_in(const std::string& text) {
  unsigned port = 0;
  std::from_chars(text.data(), text.data() + text.size(), port);
  return port <= 65'535 ? static_cast<unsigned short>(port) : 0;
}

unsigned short configured_port(const ServerConfig& server) {
  return port_in(server.auth_parameter("redirect_port"));
}

// The issuer that the user named, or "".
std::string chosen_issuer(const ServerConfig& server, const LoginOptions& options) {
  return options.issuer.empty() ? server.auth_parameter("issuer") : options.issuer;
}

// Whether the issuer may get a secret: the user named this recipient, or the secret goes where the user sends
// everything else.
bool may_have_secret(const ServerConfig& server, const LoginOptions& options, const IssuerMetadata& issuer) {
  if (issuer.by_hand || chosen_issuer(server, options) == issuer.issuer) return true;
  const std::string own = origin_text(server.url);
  return origin_text(issuer.issuer) == own && origin_text(issuer.token_endpoint) == own &&
         (issuer.revocation_endpoint.empty() || origin_text(issuer.revocation_endpoint) == own);
}

}  // namespace

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

namespace {

// The state of a login. Its findings so far are in its token.
struct Login {
  asio::io_context& context;
  http::Client& http;
  TokenStore store;
  ServerConfig server;
  LoginOptions options;
  io::CancelScope scope;
  std::optional<Token> previous;
  IssuerMetadata issuer;
  Scopes scopes;
  Token token;

  asio::awaitable<Result<Token>> run() {
    if (auto saved = store.load(server.name, server.url))  // an unreadable token is replaced
      previous = std::move(*saved);
    CO_CHECK(co_await discover());
    token.issuer = token.client.issuer = issuer.issuer;
    token.token_endpoint = issuer.token_endpoint;
    token.revocation_endpoint = issuer.revocation_endpoint;
    token.scope = join_scopes(scopes);
    Form form;
    if (server.by_client_credentials()) {
      CO_TRY(auto client, configured_client(server, options, issuer));
      if (!client)
        co_return fail(ErrorKind::InvalidArgument, "The server " + server.name + " has no client_id.",
                       "Set client_id and client_secret in [servers.auth].");
      token.client = std::move(*client);
      form.emplace_back("grant_type", "client_credentials");
      if (!scopes.empty()) form.emplace_back("scope", token.scope);
    } else {
      CO_TRY(form, co_await authorize());
    }
    form.emplace_back("resource", token.resource);
    co_return co_await redeem(std::move(form));
  }

  io::CancelScope step() const { return scope.with_timeout(options.limit); }

  // --- discovery: the issuers of tokens for the server, and their scopes
  asio::awaitable<Result<void>> discover() {
    BearerChallenge challenge;
    if (const std::string given = options.www_authenticate; !given.empty()) {
      challenge = bearer_challenge(given).value_or(BearerChallenge());
    } else {
      CO_TRY(challenge, co_await ask_challenge(http, server, step()));
    }
    token.resource = canonical_resource(server.url);
    if (is_configured_by_hand()) {
      CO_CHECK(configure_by_hand());
      choose_scopes(challenge.scope, {});
      co_return Result<void>();
    }
    CO_TRY(auto found,
           co_await find_resource_metadata(http, server.url, challenge.resource_metadata, step()));
    ResourceMetadata metadata =
        found.value_or(ResourceMetadata{token.resource, {origin_text(server.url)}, {}});
    token.resource = metadata.resource;
    CO_TRY(const std::string named, choose_issuer(metadata.issuers));
    CO_TRY(issuer, co_await find_issuer_metadata(http, named, server.url, step()));
    const std::string configured = server.auth ? server.auth->token_url : "";
    if (!configured.empty() && configured != issuer.token_endpoint)
      co_return fail(
          ErrorKind::InvalidArgument,
          "The configured token_url is not the one of " + printable(issuer.issuer) + ", which is " +
              printable(issuer.token_endpoint) + ".",
          "Remove token_url, or also set authorization_url, in [servers.auth] of " + server.name + ".");
    choose_scopes(challenge.scope, metadata.scopes);
    co_return Result<void>();
  }

  // Whether the user has configured what the missing metadata would contain.
  bool is_configured_by_hand() const {
    return server.auth && !server.auth->token_url.empty() &&
           (!server.auth_parameter("authorization_url").empty() || server.by_client_credentials());
  }
  Result<void> configure_by_hand() {
    issuer.token_endpoint = server.auth->token_url;
    issuer.authorization_endpoint = server.auth_parameter("authorization_url");
    issuer.revocation_endpoint = server.auth_parameter("revocation_url");
    issuer.issuer = chosen_issuer(server, options);
    if (issuer.issuer.empty()) issuer.issuer = origin_text(issuer.token_endpoint);
    issuer.by_hand = true;
    issuer.challenge_methods = {"S256"};
    for (const std::string& each :
         {issuer.token_endpoint, issuer.authorization_endpoint, issuer.revocation_endpoint})
      if (!each.empty()) {
        TRY_DONE(check_address(each, server.url, "An address in [servers.auth]"));
      }
    return {};
  }

  Result<std::string> choose_issuer(const std::vector<std::string>& issuers) const {
    if (const std::string wanted = chosen_issuer(server, options); !wanted.empty()) {
      if (lists(issuers, wanted)) return wanted;
      return fail(ErrorKind::InvalidArgument,
                  "The server does not name the configured issuer " + printable(server, wanted) + ".",
                  "Correct issuer in [servers.auth] of " + server.name + ", or --issuer.");
    }
    return previous && lists(issuers, previous->issuer) ? previous->issuer : issuers.front();
  }

  void choose_scopes(const std::string& challenged, const std::vector<std::string>& supported) {
    scopes = split_scopes(challenged);
    if (scopes.empty())
      for (const std::string& each : supported) scopes.merge(split_scopes(each));
    scopes.merge(split_scopes(server.auth_parameter("scope")));
    if (!options.scope.empty()) {  // with additional scopes, keep the present ones
      scopes.merge(split_scopes(options.scope));
      if (previous && previous->issuer == issuer.issuer) scopes.merge(split_scopes(previous->scope));
    }
    const bool offline = lists(issuer.scopes, "offline_access");
    // Alone, it would replace the scopes that the server grants by default.
    if (offline && !scopes.empty()) scopes.insert("offline_access");
    if (!offline) scopes.erase("offline_access");
  }

  // --- the client, and the port it listens on: they belong together, since the port is part of a
  // registration

  using Listener = std::shared_ptr<RedirectListener>;

  // In this order: the configured client; the address of our metadata, if the issuer accepts one; an earlier
  // registration, if its port is free; a new registration.
  asio::awaitable<Result<Listener>> choose_client() {
    CO_TRY(auto configured, configured_client(server, options, issuer));
    const bool by_address =
        !configured && issuer.metadata_documents && options.client_metadata_url.starts_with("https://");
    if (configured) {
      token.client = std::move(*configured);
      if (!options.client_id.empty()) {
        CO_CHECK(store.save_client(token.client));
      }
    } else if (by_address) {
      token.client.id = options.client_metadata_url;
    } else if (const Listener registered = listener_of_earlier_registration()) {
      co_return registered;
    } else if (issuer.registration_endpoint.empty()) {
      co_return fail(
          ErrorKind::InvalidArgument,
          "The authorization server " + printable(issuer.issuer) +
              " does not register clients automatically, and no client_id is configured.",
          "Register a client there manually, with the redirect address http://127.0.0.1/callback, then run "
          "`leanbridge mcp auth login " +
              server.name + " --client-id ID`.");
    }
    CO_TRY(auto listener, RedirectListener::open(context, configured_port(server)));
    if (configured || by_address) co_return listener;
    CO_TRY(token.client,
           co_await register_client(http, issuer, listener->redirect_uri(), token.scope, step()));
    CO_CHECK(store.save_client(token.client));
    co_return listener;
  }

  // A registration works only with its own port: issuers compare addresses literally, in spite of RFC 8252.
  Listener listener_of_earlier_registration() {
    const auto saved = store.client(issuer.issuer);
    if (!saved || !*saved) return nullptr;
    const ClientCredentials& client = **saved;
    if (client.expires_at != 0 && unix_now() >= client.expires_at) return nullptr;
    const auto origin = http::origin_of(client.redirect_uri);
    const unsigned short registered = origin ? port_in(origin->port) : 0;
    const auto listener =
        RedirectListener::open(context, client.redirect_uri.empty() ? configured_port(server) : registered);
    if (!listener) return nullptr;
    token.client = client;
    return *listener;
  }

  // --- the user's consent
  asio::awaitable<Result<Form>> authorize() {
    const std::string who = "The authorization server " + printable(issuer.issuer);
    const char* const hint = "Ask whoever runs it, or configure a token.";
    if (!lists(issuer.challenge_methods, "S256"))
      co_return fail(ErrorKind::NotSupported,
                     who + " does not advertise PKCE with S256, which a login requires.", hint);
    if (issuer.authorization_endpoint.empty())
      co_return fail(ErrorKind::NotSupported, who + " names no address for authorization.", hint);
    CO_TRY(const Listener listener, co_await choose_client());
    const std::string state = random_text(kStateBytes), verifier = random_text(kVerifierBytes);
    options.open_url(authorization_url(listener->redirect_uri(), state, pkce_challenge(verifier)));
    CO_TRY(auto answered, co_await listener->answer(state, scope.with_timeout(options.patience)));
    CO_TRY(const std::string code, read_answer(std::move(answered)));
    Form form;
    form.emplace_back("grant_type", "authorization_code");
    form.emplace_back("code", code);
    form.emplace_back("redirect_uri", listener->redirect_uri());
    form.emplace_back("code_verifier", verifier);
    co_return form;
  }

  std::string authorization_url(const std::string& redirect_uri, const std::string& state,
                                const std::string& challenge) const {
    Form query = {{"response_type", "code"},      {"client_id", token.client.id},
                  {"redirect_uri", redirect_uri}, {"state", state},
                  {"code_challenge", challenge},  {"code_challenge_method", "S256"},
                  {"resource", token.resource}};
    if (!scopes.empty()) query.emplace_back("scope", token.scope);
    if (scopes.contains("offline_access")) query.emplace_back("prompt", "consent");  // OpenID Connect Core 11
    const std::string base = issuer.authorization_endpoint.substr(0, issuer.authorization_endpoint.find('#'));
    return base + (base.find('?') == std::string::npos ? "?" : "&") + encode_form(query);
  }

  // Checks the sender of an answer before using it: another server's error must not be shown (RFC 9207).
  Result<std::string> read_answer(RedirectParameters answer) const {
    const char* again = "Log in again; if this recurs, ask whoever runs the server.";
    const bool named = answer.contains("iss");
    if ((named && answer["iss"] != issuer.issuer) || (!named && issuer.says_issuer))
      return fail(
          ErrorKind::BackendError,
          named ? "The answer in the browser is refused: it comes from '" + shown(answer["iss"]) +
                      "', but the login began at " + printable(issuer.issuer) + "."
                : "The answer in the browser is refused: it does not say from which issuer it is, although " +
                      printable(issuer.issuer) + " always does.",
          again);
    if (answer.contains("error")) {
      const std::string more = answer["error_description"];
      return fail(ErrorKind::BackendError,
                  "The authorization server refused: " + shown(answer["error"]) +
                      (more.empty() ? "" : ": " + shown(more)) + ".",
                  "Log in again and accept the request.");
    }
    if (answer["code"].empty())
      return fail(ErrorKind::BackendError, "The answer in the browser contains no code.", again);
    return answer["code"];
  }

  // --- the token
  asio::awaitable<Result<Token>> redeem(Form form) {
    const auto granted = co_await request_token(http, token, std::move(form), step());
    if (granted) {
      CO_CHECK(store.save(*granted));
      co_return *granted;
    }
    TokenFailure failure = granted.error();
    if (!failure.said.empty())
      failure.error.message = "The authorization server gives no token: " + failure.said + ".";
    if (failure.code == "invalid_client" && !token.client.redirect_uri.empty()) {
      // The issuer has forgotten the registration: the next login registers again.
      if (auto removed = store.remove_client(issuer.issuer); !removed)
        log::warn("{}", removed.error().message);
      failure.error.hint = "Log in again to register again.";
    }
    co_return tl::unexpected(failure.error);
  }
};

}  // namespace

asio::awaitable<Result<Token>> login(asio::io_context& context, http::Client& http, TokenStore store,
                                     ServerConfig server, LoginOptions options, io::CancelScope scope) {
  if (const AuthKind kind = authorization_kind(server);
      server.transport == TransportKind::Stdio || kind != AuthKind::OAuth)
    co_return fail(
        ErrorKind::InvalidArgument,
        server.transport == TransportKind::Stdio
            ? "The server " + server.name + " is a program on this machine, which takes no login."
            : "The server " + server.name + " is configured with other authorization (" +
                  wire::name_of(kind) + ").",
        "Configure what it needs in env, headers or [servers.auth] in " + server.file.string() + ".");
  CO_CHECK(check_address(server.url, server.url, "The server's address"));
  Login one{context, http, std::move(store), std::move(server), std::move(options), scope, {}, {}, {}, {}};
  one.token.server = one.server.name;
  one.token.url = canonical_url(one.server.url);
  co_return co_await one.run();
}

asio::awaitable<Result<bool>> logout(http::Client& http, TokenStore store, std::string server,
                                     std::string url, std::string* warning, io::CancelScope scope) {
  auto token = store.load(server, url);
  if (token && !*token) co_return false;
  if (token && !(*token)->revocation_endpoint.empty()) {
    const auto revoked = co_await revoke(http, **token, scope);
    if (!revoked) *warning = revoked.error().message;
  }
  co_return store.remove(server, url);  // even if it cannot be read
}

}  // namespace leanbridge::upstream
