#include "token_requests.hpp"

#include "core/base/ascii.hpp"
#include "core/base/json.hpp"
#include "core/base/percent.hpp"
#include "core/base/sha256.hpp"
#include "core/base/try.hpp"
#include "gateway/encoding/base64.hpp"
#include "gateway/upstream/transport/incoming.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxAnswer = 256u << 10;
constexpr std::size_t kMaxToken = 64u << 10;
constexpr std::size_t kMaxSaid = 300;
constexpr std::size_t kMaxCode = 40;
constexpr std::int64_t kMaxLifetime = 10LL * 365 * 86'400;  // seconds

// Some servers write numbers as strings.
std::int64_t seconds_of(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return 0;
  if (found->is_number()) {
    const double number = found->get<double>();
    return number > 0 ? static_cast<std::int64_t>(std::min<double>(number, kMaxLifetime)) : 0;
  }
  std::int64_t number = 0;
  const std::string text = found->is_string() ? found->get<std::string>() : "";
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::clamp<std::int64_t>(number, 0, kMaxLifetime);
}

// Whether the text may go into a header unchanged.
bool is_header_safe(const std::string& text) {
  return text.size() <= kMaxToken && std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7F; });
}

// The error's code, if it is one. Any program may answer there, so its other words are not passed on.
std::string error_code(const json& answer) {
  const std::string code = text_member(answer, "error");
  const bool plain = code.size() <= kMaxCode &&
                     std::ranges::all_of(code, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
  return plain ? code : "";
}

struct Answer {
  int status;
  json body;
  std::string in_short;  ///< status and code, for all readers
  std::string said;      ///< also the description, for the user, without secrets that it may quote
};

// Posts a request. It does not follow redirects, since no other server may see the content.
asio::awaitable<Result<Answer>> post(http::Client& http, http::Request request,
                                     std::vector<std::string> secrets, io::CancelScope scope) {
  request.method = "POST";
  request.headers.emplace_back("Accept", "application/json");
  request.max_body = kMaxAnswer;
  request.max_redirects = 0;
  const auto response = co_await http.send(std::move(request), scope);
  if (!response)
    co_return fail(response.error().kind == http::Failure::Kind::Cancelled ? ErrorKind::Cancelled
                                                                           : ErrorKind::BackendUnavailable,
                   "The authorization server cannot be reached: " + response.error().message,
                   "Try again later.");
  Answer answer{response->status, read_json(response->body), "HTTP " + std::to_string(response->status), ""};
  if (const std::string code = error_code(answer.body); !code.empty()) answer.in_short += ", " + code;
  const std::string more = text_member(answer.body, "error_description");
  const std::string text = answer.in_short + (more.empty() ? "" : ": " + more);
  answer.said = printable(without_secrets(text, secrets).substr(0, kMaxSaid));
  co_return answer;
}

// Posts a form. With Basic, both parts are form-encoded first (RFC 6749 2.3.1).
asio::awaitable<Result<Answer>> post_form(http::Client& http, std::string endpoint, ClientCredentials client,
                                          Form form, io::CancelScope scope) {
  std::vector<std::string> secrets = {client.secret.reveal()};
  for (const auto& [name, value] : form)
    if (name == "code" || name == "code_verifier" || name == "refresh_token" || name == "token")
      secrets.push_back(value);
  http::Request request;
  request.url = std::move(endpoint);
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  if (client.auth_method == ClientAuthMethod::SecretBasic && !client.secret.empty()) {
    const std::string pair = percent_encoded(client.id) + ":" + percent_encoded(client.secret.reveal());
    request.headers.emplace_back("Authorization", "Basic " + to_base64(pair));
  } else {
    form.emplace_back("client_id", client.id);
    if (client.auth_method == ClientAuthMethod::SecretPost && !client.secret.empty())
      form.emplace_back("client_secret", client.secret.reveal());
  }
  request.body = encode_form(form);
  co_return co_await post(http, std::move(request), std::move(secrets), scope);
}

std::string base64url(std::string_view bytes) {
  std::string text = to_base64(bytes);
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  while (text.ends_with('=')) text.pop_back();
  return text;
}

}  // namespace

std::string random_text(std::size_t bytes) {
  return base64url(random_bytes(bytes));
}

std::string pkce_challenge(std::string_view verifier) {
  Sha256 digest;
  digest.add(verifier);
  return base64url(digest.finish_bytes());
}

std::string encode_form(const Form& form) {
  std::string text;
  for (const auto& [name, value] : form)
    text += (text.empty() ? "" : "&") + percent_encoded(name) + "=" + percent_encoded(value);
  return text;
}

ClientAuthMethod choose_auth_method(const IssuerMetadata& issuer, bool has_secret) {
  using Method = ClientAuthMethod;
  if (!has_secret) return Method::None;
  if (!issuer.token_endpoint_auth_methods) return Method::SecretBasic;
  const auto& methods = *issuer.token_endpoint_auth_methods;
  for (const Method method : {Method::SecretBasic, Method::SecretPost, Method::None})
    if (std::ranges::find(methods, wire::name_of(method)) != methods.end()) return method;
  return Method::SecretBasic;
}

asio::awaitable<Result<ClientCredentials>> register_client(http::Client& http, IssuerMetadata issuer,
                                                           std::string redirect_uri, std::string scope_wanted,
                                                           io::CancelScope scope) {
  const auto& methods = issuer.token_endpoint_auth_methods;
  const bool open = !methods || std::ranges::find(*methods, "none") != methods->end();
  ClientCredentials client;
  client.auth_method = open ? ClientAuthMethod::None : choose_auth_method(issuer, true);
  json body = {{"client_name", "leanbridge"},
               {"redirect_uris", {redirect_uri}},
               {"grant_types", {"authorization_code", "refresh_token"}},
               {"response_types", {"code"}},
               {"token_endpoint_auth_method", wire::name_of(client.auth_method)},
               {"application_type", "native"}};
  if (!scope_wanted.empty()) body["scope"] = scope_wanted;
  http::Request request;
  request.url = issuer.registration_endpoint;
  request.headers = {{"Content-Type", "application/json"}};
  request.body = body.dump();
  CO_TRY(const Answer answer, co_await post(http, std::move(request), {}, scope));
  wire::read_fitting(answer.body, client);
  client.issuer = issuer.issuer;
  client.redirect_uri = redirect_uri;
  client.expires_at = seconds_of(answer.body, "client_secret_expires_at");
  if (answer.status / 100 != 2 || client.id.empty())
    co_return fail(ErrorKind::BackendError,
                   "The authorization server did not register this program: " + answer.said + ".",
                   "Register a client there manually and set client_id in [servers.auth] of the server.");
  co_return client;
}

asio::awaitable<tl::expected<Token, TokenFailure>> request_token(http::Client& http, Token token, Form form,
                                                                 io::CancelScope scope) {
  const auto answer = co_await post_form(http, token.token_endpoint, token.client, std::move(form), scope);
  if (!answer) co_return tl::unexpected(TokenFailure{"", answer.error(), ""});
  const json& body = answer->body;
  if (answer->status != 200) {
    const bool outage = answer->status >= 500 || answer->status == 429;
    co_return tl::unexpected(
        TokenFailure{outage ? "" : error_code(body),
                     Error(outage ? ErrorKind::BackendUnavailable : ErrorKind::BackendError,
                           "The authorization server gives no token: " + answer->in_short + "."),
                     answer->said});
  }
  token.access = Secret(text_member(body, "access_token"));
  const std::string type = lower_case(text_member(body, "token_type"));
  if (token.access.empty() || !is_header_safe(token.access.reveal()) || (!type.empty() && type != "bearer"))
    co_return tl::unexpected(TokenFailure{
        "invalid_response",
        Error(ErrorKind::BackendError, "The authorization server's answer contains no bearer token.",
              "Ask whoever runs it."),
        ""});
  if (Secret refresh(text_member(body, "refresh_token")); !refresh.empty()) token.refresh = refresh;
  if (const Scopes scopes = split_scopes(text_member(body, "scope")); !scopes.empty())
    token.scope = join_scopes(scopes);
  token.issued_at = unix_now();
  token.expires_at = body.contains("expires_in") ? token.issued_at + seconds_of(body, "expires_in") : 0;
  co_return token;
}

asio::awaitable<Result<void>> revoke(http::Client& http, Token token, io::CancelScope scope) {
  // Revoking the refresh token should revoke the other tokens, but servers need not do so (RFC 7009 2.1).
  const std::pair<const char*, Secret> tokens[] = {{"refresh_token", token.refresh},
                                                   {"access_token", token.access}};
  for (const auto& [hint, secret] : tokens) {
    if (secret.empty()) continue;
    Form form;
    form.emplace_back("token", secret.reveal());
    form.emplace_back("token_type_hint", hint);
    CO_TRY(const Answer answer,
           co_await post_form(http, token.revocation_endpoint, token.client, std::move(form), scope));
    if (answer.status / 100 != 2)
      co_return fail(ErrorKind::BackendError,
                     "The authorization server did not revoke the token: " + answer.said + ".");
  }
  co_return Result<void>();
}

}  // namespace leanbridge::upstream
