#pragma once
/// OAuth 2.1 for HTTP servers: tokens for transports, their renewal, and the login. All on the loop's thread.
/// docs/upstream.md (Authorization) tells what is requested and what is refused.

#include "token_store.hpp"
#include "transport.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace leanbridge::upstream {

struct LoginOptions {
  /// Shows the address to the user, or opens it, and returns at once. The answer arrives at a port on
  /// 127.0.0.1.
  std::function<void(const std::string& url)> open_url;
  /// The server's last WWW-Authenticate; "": ask the server.
  std::string www_authenticate;
  std::string scope;      ///< scopes in addition to the server's, separated by spaces
  std::string client_id;  ///< registered by hand; "": as configured, or by registration
  Secret client_secret;
  std::string issuer;  ///< the only issuer to log in at; "": as configured, or one that the server names
  /// An https address of this program's metadata, for issuers that accept one as client_id; "" for none.
  std::string client_metadata_url;
  io::Clock::duration patience = std::chrono::minutes(5);  ///< how long to wait for the user
  io::Clock::duration limit = std::chrono::seconds(30);    ///< for each request
};

/// Logs in to the server and saves the token. NotSupported if the server or its issuer lacks something
/// necessary (PKCE), BackendError if something in their answers is refused, InvalidArgument if the user has
/// to supply something, BackendUnavailable, Timeout, Cancelled. No error contains a secret.
asio::awaitable<Result<Token>> login(asio::io_context& context, http::Client& http, TokenStore store,
                                     ServerConfig server, LoginOptions options, io::CancelScope scope);

/// Revokes the token at the issuer, if supported, and removes it here. False if there was none. `warning`
/// tells that the issuer refused.
asio::awaitable<Result<bool>> logout(http::Client& http, TokenStore store, std::string server,
                                     std::string url, std::string* warning, io::CancelScope scope);

/// The kind of authorization for requests to a remote server, according to its configuration.
AuthKind authorization_kind(const ServerConfig& server);

struct OAuthOptions {
  /// If set, log in when needed. If not, as in `serve`, errors name the command to run.
  std::optional<LoginOptions> login;
  io::Clock::duration refresh_limit = std::chrono::seconds(30);
};

class OAuth : public Authorization, public std::enable_shared_from_this<OAuth> {
 public:
  /// `http` must outlive it.
  OAuth(asio::io_context& context, http::Client& http, TokenStore store, OAuthOptions options);

  asio::awaitable<Result<Secret>> token(const ServerConfig& server, io::CancelScope scope) override;
  asio::awaitable<Result<bool>> challenged(const ServerConfig& server, Refusal refusal,
                                           io::CancelScope scope) override;
  std::string problem(const ServerConfig& server) const override;

 private:
  struct Renewal;
  struct Entry;
  Entry& entry(const ServerConfig& server);
  Result<std::optional<Token>> current(const ServerConfig& server);
  asio::awaitable<Result<Token>> renew(ServerConfig server, Secret rejected, io::CancelScope scope);
  asio::awaitable<Result<Token>> renew_locked(ServerConfig server, Secret rejected);
  asio::awaitable<Result<bool>> log_in(ServerConfig server, std::string www_authenticate,
                                       std::string more_scopes, io::CancelScope scope);
  asio::awaitable<Result<bool>> more_scopes(ServerConfig server, Refusal refusal, io::CancelScope scope);

  asio::io_context& context_;
  http::Client& http_;
  TokenStore store_;
  OAuthOptions options_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;  // by server and address
};

}  // namespace leanbridge::upstream
