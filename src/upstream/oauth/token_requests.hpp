#pragma once
/// The requests to authorization servers, each on its own: what a login and a renewal are made of.

#include "leanbridge/http/client.hpp"
#include "leanbridge/upstream/token_store.hpp"

#include "metadata.hpp"

namespace leanbridge::upstream {

/// Dynamic client registration (RFC 7591) as a native program.
asio::awaitable<Result<ClientCredentials>> register_client(http::Client& http, IssuerMetadata issuer,
                                                           std::string redirect_uri, std::string scope_wanted,
                                                           io::CancelScope scope);

/// How the credentials are shown to the token endpoint, where registration did not say: see RFC 8414 2.
ClientAuthMethod choose_auth_method(const IssuerMetadata& issuer, bool has_secret);

/// In the order of sending.
using Form = std::vector<std::pair<std::string, std::string>>;
std::string encode_form(const Form& form);

/// Why there is no token. `code` is the OAuth error ("invalid_grant", ...), "" where none came: an outage.
struct TokenFailure {
  std::string code;
  Error error;       ///< for anybody: none of the server's own words but the code
  std::string said;  ///< status, code and description, for the user who logs in; "" where nothing came
};

/// What a token endpoint gives; the rest of a Token is the caller's to fill in.
struct Granted {
  Secret access;
  Secret refresh;
  std::string scope;
  std::int64_t issued_at = 0;
  std::int64_t expires_at = 0;
};

/// POSTs the form with the client's credentials. No error holds a secret.
asio::awaitable<tl::expected<Granted, TokenFailure>> request_token(http::Client& http, std::string endpoint,
                                                                   ClientCredentials client, Form form,
                                                                   io::CancelScope scope);

/// RFC 7009. An error says what was wrong; the token may then still be good at the issuer.
asio::awaitable<Result<void>> revoke(http::Client& http, Token token, io::CancelScope scope);

}  // namespace leanbridge::upstream
