// OAuth: chooses the token for a request, and handles refusals.

#include "gateway/upstream/oauth.hpp"

#include "core/base/ascii.hpp"
#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/io/one_shot.hpp"
#include "gateway/upstream/transport/incoming.hpp"
#include "http/client.hpp"
#include "metadata.hpp"
#include "token_requests.hpp"

#include <algorithm>

namespace leanbridge::upstream {

namespace {

constexpr int kMaxTokens = 2;  // attempts of one request to get another token

std::string login_command(const std::string& server) {
  return "leanbridge mcp auth login " + text::shell_word(server);
}

tl::unexpected<Error> login_needed(const std::string& server, const std::string& why) {
  const std::string command = login_command(server);
  return fail(ErrorKind::BackendUnavailable, why + " Run `" + command + "`.",
              "Ask the user to run `" + command + "` in a terminal, then call again.");
}

bool is_challenge_for_scopes(const BearerChallenge& challenge) {
  return challenge.error == "insufficient_scope" || (challenge.error.empty() && !challenge.scope.empty());
}

}  // namespace

AuthKind authorization_kind(const ServerConfig& server) {
  for (const auto& [name, value] : server.headers)
    if (lower_case(name) == "authorization") return AuthKind::Header;
  return server.auth ? server.auth->kind : AuthKind::OAuth;
}

/// A running renewal. It continues even if the request that began it is cancelled, since a rotated token that
/// is not saved is lost.
struct OAuth::Renewal {
  io::OneShot<Result<Token>> result;
};

struct OAuth::Entry {
  std::string state;  // of the file at the time of reading
  Result<std::optional<Token>> token = std::optional<Token>();
  std::shared_ptr<Renewal> renewal;
  Scopes asked;         // scopes that logins requested during requests
  std::string problem;  // the user's task although the server is connected
};

OAuth::OAuth(asio::io_context& context, http::Client& http, TokenStore store, OAuthOptions options)
    : context_(context), http_(http), store_(std::move(store)), options_(std::move(options)) {}

OAuth::Entry& OAuth::entry(const ServerConfig& server) {
  auto& slot = entries_[server.name + '\n' + canonical_url(server.url)];
  if (!slot) slot = std::make_shared<Entry>();
  return *slot;
}

// Another process may have logged in, renewed or removed the token: trust the file.
Result<std::optional<Token>> OAuth::current(const ServerConfig& server) {
  Entry& here = entry(server);
  std::string state = store_.state_of(server.name, server.url);
  if (state != here.state || !here.token) {
    here.state = std::move(state);
    here.token = store_.load(server.name, server.url);
    here.problem.clear();
  }
  return here.token;
}

std::string OAuth::problem(const ServerConfig& server) const {
  const auto found = entries_.find(server.name + '\n' + canonical_url(server.url));
  return found == entries_.end() ? "" : found->second->problem;
}

asio::awaitable<Result<Secret>> OAuth::token(const ServerConfig& server, io::CancelScope scope) {
  const auto self = shared_from_this();
  const AuthKind kind = authorization_kind(server);
  if (kind == AuthKind::Bearer) co_return server.auth->token;
  if (kind != AuthKind::OAuth) co_return Secret();
  CO_TRY(auto held, current(server));
  if (!held) co_return Secret();  // the server will tell if it needs one
  Token token = std::move(*held);
  const auto origin = http::origin_of(server.url);
  if (!origin || (origin->scheme != "https" && !origin->loopback()))
    co_return fail(ErrorKind::NotSupported,
                   "The token of " + server.name + " is not sent because its address is not https.",
                   "Correct 'url' in " + server.file.string() + ".");
  const std::int64_t now = unix_now();
  if (!token.expires_soon(now)) co_return token.access;
  if (token.refresh.empty() && !server.by_client_credentials()) {
    if (!token.expired(now)) co_return token.access;
    if (options_.login) co_return Secret();
    co_return login_needed(server.name, "The authorization of " + server.name + " has expired.");
  }
  const Result<Token> renewed = co_await renew(server, token.access, scope);
  if (renewed) co_return renewed->access;
  // Survive an outage of the issuer while the old token is valid.
  const bool outage = renewed.error().kind == ErrorKind::BackendUnavailable &&
                      !store_.state_of(server.name, server.url).empty();
  if (outage && !token.expired(unix_now())) co_return token.access;
  co_return tl::unexpected(renewed.error());
}

asio::awaitable<Result<Token>> OAuth::renew(ServerConfig server, Secret rejected, io::CancelScope scope) {
  const auto self = shared_from_this();
  Entry& here = entry(server);
  if (!here.renewal) {
    here.renewal = std::make_shared<Renewal>();
    asio::co_spawn(
        context_, renew_locked(server, rejected),
        [self, renewal = here.renewal, key = &here](std::exception_ptr error, Result<Token> result) {
          if (error) result = fail(ErrorKind::Internal, "The renewal of a token failed.");
          renewal->result.set(std::move(result));
          key->renewal.reset();
        });
  }
  const auto renewal = here.renewal;
  const io::WaitStatus end = co_await renewal->result.wait(scope);
  if (end == io::WaitStatus::Ready) co_return renewal->result.value();
  co_return fail(end == io::WaitStatus::Cancelled ? ErrorKind::Cancelled : ErrorKind::Timeout,
                 "The token of " + server.name + " was not renewed in time.", "Call again.");
}

// Holds the lock that all processes share. `rejected` is the token that no longer works: if the file has
// another one by now, another process has renewed it.
asio::awaitable<Result<Token>> OAuth::renew_locked(ServerConfig server, Secret rejected) {
  const auto self = shared_from_this();
  const io::CancelScope scope(options_.refresh_limit);
  CO_TRY(const auto lock, co_await store_.lock(server.name, server.url, scope));
  CO_TRY(auto held, store_.load(server.name, server.url));
  if (held && held->access != rejected && !held->expires_soon(unix_now())) co_return std::move(*held);
  if (server.by_client_credentials())
    co_return co_await login(context_, http_, store_, server, LoginOptions(), scope);
  if (!held) co_return login_needed(server.name, "The authorization of " + server.name + " was removed.");
  const Token token = std::move(*held);
  if (token.refresh.empty())
    co_return login_needed(server.name, "The authorization of " + server.name + " cannot be renewed.");
  Form form;
  form.emplace_back("grant_type", "refresh_token");
  form.emplace_back("refresh_token", token.refresh.reveal());
  form.emplace_back("resource", token.resource);
  const auto renewed = co_await request_token(http_, token, std::move(form), scope);
  if (!renewed) {
    const TokenFailure& failure = renewed.error();
    if (failure.code != "invalid_grant") co_return tl::unexpected(failure.error);
    if (auto removed = store_.remove(server.name, server.url); !removed)
      log::warn("{}", removed.error().message);
    co_return login_needed(server.name, "The authorization of " + server.name + " is no longer valid.");
  }
  CO_CHECK(store_.save(*renewed));
  log::info("upstream {}: token renewed", server.name);
  co_return *renewed;
}

asio::awaitable<Result<bool>> OAuth::challenged(const ServerConfig& server, Refusal refusal,
                                                io::CancelScope scope) {
  const auto self = shared_from_this();
  const AuthKind kind = authorization_kind(server);
  const std::string name = server.name;
  if (kind == AuthKind::None) co_return false;
  if (kind == AuthKind::Bearer && refusal.status == 401)
    co_return fail(ErrorKind::BackendUnavailable,
                   "The server " + name + " refuses the configured token (HTTP 401).",
                   "Correct token in [servers.auth] of " + name + " in " + server.file.string() + ".");
  if (kind != AuthKind::OAuth) co_return false;
  CO_TRY(auto held, current(server));
  // Another request or process has renewed it meanwhile.
  if (refusal.attempt == 0 && held && held->access != refusal.token) co_return true;
  if (refusal.status != 401) co_return co_await more_scopes(server, std::move(refusal), scope);
  const bool renewable = server.by_client_credentials() || (held && !held->refresh.empty());
  if (refusal.attempt == 0 && renewable) {
    const auto renewed = co_await renew(server, refusal.token, scope);
    if (renewed) co_return true;
    if (!options_.login) co_return tl::unexpected(renewed.error());
  }
  if (options_.login && refusal.attempt < kMaxTokens) {
    const std::string header = refusal.www_authenticate;
    co_return co_await log_in(server, header, "", scope);
  }
  if (!held) co_return login_needed(name, "The server " + name + " needs authorization (HTTP 401).");
  co_return login_needed(name, "The server " + name + " refuses its token (HTTP 401).");
}

asio::awaitable<Result<bool>> OAuth::more_scopes(ServerConfig server, Refusal refusal,
                                                 io::CancelScope scope) {
  const auto challenge = bearer_challenge(refusal.www_authenticate);
  if (!challenge || !is_challenge_for_scopes(*challenge)) co_return false;
  const auto held = current(server);
  Scopes wanted = split_scopes(challenge->scope);
  Scopes had = entry(server).asked;
  if (held && *held) had.merge(split_scopes((*held)->scope));
  // The scopes were present, or were requested in vain: another login would end the same way.
  if (!wanted.empty() && std::includes(had.begin(), had.end(), wanted.begin(), wanted.end())) co_return false;
  if (held && *held) wanted.merge(split_scopes((*held)->scope));
  const std::string all = join_scopes(wanted);
  if (options_.login) entry(server).asked.merge(Scopes(wanted));
  if (options_.login && refusal.attempt < kMaxTokens)
    co_return co_await log_in(std::move(server), refusal.www_authenticate, all, scope);
  // The text becomes part of a command line that a person may copy.
  const bool plain = std::ranges::all_of(all, [](unsigned char c) {
    return std::isalnum(c) || std::string_view(" -_.:/").find(static_cast<char>(c)) != std::string_view::npos;
  });
  const std::string command =
      login_command(server.name) + (plain && !all.empty() ? " --scope '" + all + "'" : "");
  const std::string message = "The authorization of " + server.name + " does not cover this" +
                              (all.empty() ? "" : ": it requires " + printable(all)) + ". Run `" + command +
                              "`.";
  entry(server).problem = message;
  co_return fail(ErrorKind::BackendUnavailable, message,
                 "Ask the user to run `" + command + "` in a terminal, then call again.");
}

asio::awaitable<Result<bool>> OAuth::log_in(ServerConfig server, std::string www_authenticate,
                                            std::string more_scopes, io::CancelScope scope) {
  const auto self = shared_from_this();
  LoginOptions options = *options_.login;
  options.www_authenticate = std::move(www_authenticate);
  options.scope = std::move(more_scopes);
  CO_CHECK(co_await login(context_, http_, store_, std::move(server), std::move(options), scope));
  co_return true;
}

}  // namespace leanbridge::upstream
