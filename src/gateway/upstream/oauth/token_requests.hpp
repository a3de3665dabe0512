#pragma once
/// Requests to authorization servers: the steps of a login and a renewal.

#include "gateway/upstream/token_store.hpp"
#include "http/client.hpp"
#include "metadata.hpp"

namespace leanbridge::upstream {

/// `bytes` random bytes from the system, as base64url without padding.
std::string random_text(std::size_t bytes);
/// The code_challenge of a code_verifier: its SHA-256 as base64url without padding (RFC 7636).
std::string pkce_challenge(std::string_view verifier);

/// Dynamic client registration (RFC 7591) as a native application.
asio::awaitable<Result<ClientCredentials>> register_client(http::Client& http, IssuerMetadata issuer,
                                                           std::string redirect_uri, std::string scope_wanted,
                                                           io::CancelScope scope);

/// The way to authenticate at the token endpoint if registration did not tell: see RFC 8414 2.
ClientAuthMethod choose_auth_method(const IssuerMetadata& issuer, bool has_secret);

/// In the order of sending.
using Form = std::vector<std::pair<std::string, std::string>>;
std::string encode_form(const Form& form);

/// Why there is no token. `code` is the OAuth error ("invalid_grant", ...), or "" for an outage.
struct TokenFailure {
  std::string code;
  Error error;       ///< for all readers; has only the code of the server's words
  std::string said;  ///< status, code and description, for the user who logs in; "" if there was no answer
};

/// POSTs the form with the client's credentials. Stores the answer in `token`: access token, times, and a new
/// refresh token and scope, if any. Errors contain no secrets.
asio::awaitable<tl::expected<Token, TokenFailure>> request_token(http::Client& http, Token token, Form form,
                                                                 io::CancelScope scope);

/// Revokes a token (RFC 7009). After an error, the token may still be valid at the issuer.
asio::awaitable<Result<void>> revoke(http::Client& http, Token token, io::CancelScope scope);

}  // namespace leanbridge::upstream
