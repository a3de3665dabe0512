// The login: from the server's challenge to a saved token.

#include "leanbridge/base/log.hpp"
#include "leanbridge/base/try.hpp"
#include "leanbridge/http/client.hpp"
#include "leanbridge/upstream/oauth.hpp"

#include "client_registration.hpp"
#include "pkce.hpp"
#include "redirect_listener.hpp"
#include "token_requests.hpp"
#include "upstream/transport/incoming.hpp"

#include <algorithm>

namespace leanbridge::upstream {

namespace {

constexpr std::size_t kStateBytes = 24, kVerifierBytes = 48;

class Login {
 public:
  Login(asio::io_context& context, http::Client& http, TokenStore store, ServerConfig server,
        LoginOptions options, io::CancelScope scope)
      : context_(context),
        http_(http),
        store_(std::move(store)),
        server_(std::move(server)),
        options_(std::move(options)),
        scope_(std::move(scope)) {}

  asio::awaitable<Result<Token>> run() {
    auto previous = store_.load(server_.name, server_.url);
    if (previous) previous_ = std::move(*previous);  // an unreadable one is replaced
    Result<void> done = co_await discover();
    if (!done) co_return tl::unexpected(done.error());
    Form form;
    if (server_.by_client_credentials()) {
      done = use_configured_client();
      form.emplace_back("grant_type", "client_credentials");
      if (!scopes_.empty()) form.emplace_back("scope", join_scopes(scopes_));
    } else {
      CO_TRY(form, co_await authorize());
    }
    if (!done) co_return tl::unexpected(done.error());
    form.emplace_back("resource", resource_);
    co_return co_await redeem(std::move(form));
  }

 private:
  io::CancelScope step() const { return scope_.with_timeout(options_.limit); }

  // --- discovery: who issues tokens for the server, and for which scopes
  asio::awaitable<Result<void>> discover() {
    BearerChallenge challenge;
    if (const std::string given = options_.www_authenticate; !given.empty()) {
      challenge = bearer_challenge(given).value_or(BearerChallenge());
    } else {
      CO_TRY(challenge, co_await ask_challenge(http_, server_, step()));
    }
    resource_ = canonical_resource(server_.url);
    if (is_configured_by_hand()) {
      Result<void> configured = configure_by_hand();
      if (configured) choose_scopes(challenge.scope, {});
      co_return configured;
    }
    CO_TRY(auto found,
           co_await find_resource_metadata(http_, server_.url, challenge.resource_metadata, step()));
    ResourceMetadata metadata = found.value_or(ResourceMetadata{resource_, {origin_text(server_.url)}, {}});
    resource_ = metadata.resource;
    CO_TRY(const std::string issuer, choose_issuer(metadata.issuers));
    CO_TRY(issuer_, co_await find_issuer_metadata(http_, issuer, server_.url, step()));
    if (const std::string& configured = server_.auth ? server_.auth->token_url : resource_;
        server_.auth && !configured.empty() && configured != issuer_.token_endpoint)
      co_return fail(
          ErrorKind::InvalidArgument,
          "The configured token_url is not the one of " + printable(issuer_.issuer) + ", which is " +
              printable(issuer_.token_endpoint) + ".",
          "Remove token_url, or also set authorization_url, in [servers.auth] of " + server_.name + ".");
    choose_scopes(challenge.scope, metadata.scopes);
    co_return Result<void>();
  }

  // Without metadata: the user configured what it would say.
  bool is_configured_by_hand() const {
    if (!server_.auth || server_.auth->token_url.empty()) return false;
    return !server_.auth_parameter("authorization_url").empty() || server_.by_client_credentials();
  }
  Result<void> configure_by_hand() {
    issuer_.token_endpoint = server_.auth->token_url;
    issuer_.authorization_endpoint = server_.auth_parameter("authorization_url");
    issuer_.revocation_endpoint = server_.auth_parameter("revocation_url");
    issuer_.issuer = chosen_issuer(server_, options_);
    if (issuer_.issuer.empty()) issuer_.issuer = origin_text(issuer_.token_endpoint);
    issuer_.by_hand = true;
    issuer_.challenge_methods = {"S256"};
    for (const std::string& each :
         {issuer_.token_endpoint, issuer_.authorization_endpoint, issuer_.revocation_endpoint})
      if (!each.empty())
        if (auto checked = check_address(each, server_.url, "An address in [servers.auth]"); !checked)
          return checked;
    return {};
  }

  Result<std::string> choose_issuer(const std::vector<std::string>& issuers) const {
    const auto listed = [&](const std::string& issuer) {
      return std::find(issuers.begin(), issuers.end(), issuer) != issuers.end();
    };
    if (const std::string wanted = chosen_issuer(server_, options_); !wanted.empty()) {
      if (listed(wanted)) return wanted;
      return fail(ErrorKind::InvalidArgument,
                  "The server does not name the configured issuer " + printable(server_, wanted) + ".",
                  "Correct issuer in [servers.auth] of " + server_.name + ", or --issuer.");
    }
    return previous_ && listed(previous_->issuer) ? previous_->issuer : issuers.front();
  }

  void choose_scopes(const std::string& challenged, const std::vector<std::string>& supported) {
    scopes_ = split_scopes(challenged);
    if (scopes_.empty())
      for (const std::string& each : supported) scopes_.merge(split_scopes(each));
    scopes_.merge(split_scopes(server_.auth_parameter("scope")));
    if (!options_.scope.empty()) {  // additional scopes: keep the present ones
      scopes_.merge(split_scopes(options_.scope));
      if (previous_ && previous_->issuer == issuer_.issuer) scopes_.merge(split_scopes(previous_->scope));
    }
    const auto& known = issuer_.scopes;
    const bool offline = std::find(known.begin(), known.end(), "offline_access") != known.end();
    // Alone it would replace the scopes that the server grants by default.
    if (offline && !scopes_.empty()) scopes_.insert("offline_access");
    if (!offline) scopes_.erase("offline_access");
  }

  // --- the client
  Result<void> use_configured_client() {
    TRY(auto client, configured_client(server_, options_, issuer_));
    if (!client)
      return fail(ErrorKind::InvalidArgument, "The server " + server_.name + " has no client_id.",
                  "Set client_id and client_secret in [servers.auth].");
    client_ = std::move(*client);
    return {};
  }

  // --- the user's consent
  asio::awaitable<Result<Form>> authorize() {
    const auto& methods = issuer_.challenge_methods;
    if (std::find(methods.begin(), methods.end(), "S256") == methods.end())
      co_return fail(ErrorKind::NotSupported,
                     "The authorization server " + printable(issuer_.issuer) +
                         " does not advertise PKCE with S256, which a login requires.",
                     "Ask whoever runs it, or configure a token.");
    if (issuer_.authorization_endpoint.empty())
      co_return fail(
          ErrorKind::NotSupported,
          "The authorization server " + printable(issuer_.issuer) + " names no address for authorization.",
          "Ask whoever runs it, or configure a token.");
    ClientChoice choice{context_, http_, store_, server_, options_, issuer_, join_scopes(scopes_)};
    CO_TRY(auto chosen, co_await choose_client(choice, step()));
    client_ = std::move(chosen.client);
    const std::string state = random_text(kStateBytes), verifier = random_text(kVerifierBytes);
    const std::string redirect_uri = chosen.listener->redirect_uri();
    const std::string address = authorization_url(redirect_uri, state, pkce_challenge(verifier));
    options_.open_url(address);
    CO_TRY(auto answered, co_await chosen.listener->answer(state, scope_.with_timeout(options_.patience)));
    Result<std::string> code = read_answer(std::move(answered));
    if (!code) co_return tl::unexpected(code.error());
    Form form;
    form.emplace_back("grant_type", "authorization_code");
    form.emplace_back("code", std::move(*code));
    form.emplace_back("redirect_uri", redirect_uri);
    form.emplace_back("code_verifier", verifier);
    co_return form;
  }

  std::string authorization_url(const std::string& redirect_uri, const std::string& state,
                                const std::string& challenge) const {
    Form query = {{"response_type", "code"}, {"client_id", client_.id},     {"redirect_uri", redirect_uri},
                  {"state", state},          {"code_challenge", challenge}, {"code_challenge_method", "S256"},
                  {"resource", resource_}};
    if (!scopes_.empty()) query.emplace_back("scope", join_scopes(scopes_));
    if (scopes_.contains("offline_access"))
      query.emplace_back("prompt", "consent");  // OpenID Connect Core 11
    const std::string base =
        issuer_.authorization_endpoint.substr(0, issuer_.authorization_endpoint.find('#'));
    return base + (base.find('?') == std::string::npos ? "?" : "&") + encode_form(query);
  }

  // Check who answers before using what it says: do not show another server's error (RFC 9207).
  Result<std::string> read_answer(RedirectParameters answer) const {
    const char* again = "Log in again; if this recurs, ask whoever runs the server.";
    const bool named = answer.contains("iss");
    if ((named && answer["iss"] != issuer_.issuer) || (!named && issuer_.says_issuer))
      return fail(
          ErrorKind::BackendError,
          named ? "The answer in the browser is refused: it comes from '" + shown(answer["iss"]) +
                      "', but the login began at " + printable(issuer_.issuer) + "."
                : "The answer in the browser is refused: it does not say from which issuer it is, although " +
                      printable(issuer_.issuer) + " always does.",
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

  static std::string shown(const std::string& text) {
    return printable(std::string_view(text).substr(0, 200));
  }

  // --- the token
  asio::awaitable<Result<Token>> redeem(Form form) {
    auto granted = co_await request_token(http_, issuer_.token_endpoint, client_, std::move(form), step());
    if (!granted) {
      TokenFailure failure = granted.error();
      if (!failure.said.empty())
        failure.error.message = "The authorization server gives no token: " + failure.said + ".";
      if (failure.code == "invalid_client" && !client_.redirect_uri.empty()) {
        // It has forgotten the registration: the next login registers again.
        if (auto removed = store_.remove_client(issuer_.issuer); !removed)
          log::warn("{}", removed.error().message);
        failure.error.hint = "Log in again to register again.";
      }
      co_return tl::unexpected(failure.error);
    }
    Token token;
    token.server = server_.name;
    token.url = canonical_url(server_.url);
    token.issuer = issuer_.issuer;
    token.resource = resource_;
    token.scope = granted->scope.empty() ? join_scopes(scopes_) : granted->scope;
    token.access = granted->access;
    token.refresh = granted->refresh;
    token.issued_at = granted->issued_at;
    token.expires_at = granted->expires_at;
    token.token_endpoint = issuer_.token_endpoint;
    token.revocation_endpoint = issuer_.revocation_endpoint;
    token.client = client_;
    CO_CHECK(store_.save(token));
    co_return token;
  }

  asio::io_context& context_;
  http::Client& http_;
  TokenStore store_;
  ServerConfig server_;
  LoginOptions options_;
  io::CancelScope scope_;
  std::optional<Token> previous_;
  std::string resource_;
  IssuerMetadata issuer_;
  Scopes scopes_;
  ClientCredentials client_;
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
  Login one(context, http, std::move(store), std::move(server), std::move(options), scope);
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
