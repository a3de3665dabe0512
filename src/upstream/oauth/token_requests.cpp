#include "token_requests.hpp"

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/base/base64.hpp"
#include "leanbridge/base/json.hpp"

#include "upstream/transport/http_headers.hpp"
#include "upstream/transport/incoming.hpp"

#include <algorithm>
#include <charconv>

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

// The text goes into a header unchanged.
bool is_header_safe(const std::string& text) {
  return text.size() <= kMaxToken &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

// The error's code, if it is one: anything may answer there, so its other words are not passed on.
std::string error_code(const json& answer) {
  const std::string code = text_member(answer, "error");
  const bool plain = code.size() <= kMaxCode && std::all_of(code.begin(), code.end(), [](char c) {
                       return (c >= 'a' && c <= 'z') || c == '_';
                     });
  return plain ? code : "";
}

std::string in_short(const http::Response& response, const json& answer) {
  const std::string code = error_code(answer);
  return "HTTP " + std::to_string(response.status) + (code.empty() ? "" : ", " + code);
}

// What the server said, for a message to the user, without secrets that it may quote.
std::string said(const http::Response& response, const json& answer,
                 const std::vector<std::string>& secrets) {
  const std::string more = text_member(answer, "error_description");
  const std::string text = in_short(response, answer) + (more.empty() ? "" : ": " + more);
  return printable(without_secrets(text, secrets).substr(0, kMaxSaid));
}

std::vector<std::string> secrets_of(const ClientCredentials& client, const Form& form) {
  std::vector<std::string> secrets = {client.secret.reveal()};
  for (const auto& [name, value] : form)
    if (name == "code" || name == "code_verifier" || name == "refresh_token" || name == "token")
      secrets.push_back(value);
  return secrets;
}

// With Basic both parts are form-encoded first (RFC 6749 2.3.1).
void add_credentials(http::Request& request, const ClientCredentials& client, Form& form) {
  if (client.auth_method == ClientAuthMethod::SecretBasic && !client.secret.empty()) {
    const std::string pair =
        http::percent_encode(client.id) + ":" + http::percent_encode(client.secret.reveal());
    request.headers.emplace_back("Authorization", "Basic " + to_base64(pair));
    return;
  }
  form.emplace_back("client_id", client.id);
  if (client.auth_method == ClientAuthMethod::SecretPost && !client.secret.empty())
    form.emplace_back("client_secret", client.secret.reveal());
}

http::Request form_request(std::string endpoint, const ClientCredentials& client, Form form) {
  http::Request request;
  request.method = "POST";
  request.url = std::move(endpoint);
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}, {"Accept", "application/json"}};
  request.max_body = kMaxAnswer;
  request.max_redirects = 0;  // nobody else may see the content
  add_credentials(request, client, form);
  request.body = encode_form(form);
  return request;
}

TokenFailure outage(const http::Failure& failure) {
  const bool cancelled = failure.kind == http::Failure::Kind::Cancelled;
  return {"",
          Error(cancelled ? ErrorKind::Cancelled : ErrorKind::BackendUnavailable,
                "The authorization server cannot be reached: " + failure.message, "Try again later."),
          ""};
}

}  // namespace

std::string encode_form(const Form& form) {
  std::string text;
  for (const auto& [name, value] : form)
    text += (text.empty() ? "" : "&") + http::percent_encode(name) + "=" + http::percent_encode(value);
  return text;
}

ClientAuthMethod choose_auth_method(const IssuerMetadata& issuer, bool has_secret) {
  using Method = ClientAuthMethod;
  if (!has_secret) return Method::None;
  if (!issuer.token_endpoint_auth_methods) return Method::SecretBasic;
  const auto& methods = *issuer.token_endpoint_auth_methods;
  for (const Method method : {Method::SecretBasic, Method::SecretPost, Method::None})
    if (std::find(methods.begin(), methods.end(), wire::name_of(method)) != methods.end()) return method;
  return Method::SecretBasic;
}

asio::awaitable<Result<ClientCredentials>> register_client(http::Client& http, IssuerMetadata issuer,
                                                           std::string redirect_uri, std::string scope_wanted,
                                                           io::CancelScope scope) {
  const auto& methods = issuer.token_endpoint_auth_methods;
  const bool open = !methods || std::find(methods->begin(), methods->end(), "none") != methods->end();
  const ClientAuthMethod method = open ? ClientAuthMethod::None : choose_auth_method(issuer, true);
  json body = {{"client_name", "leanbridge"},
               {"redirect_uris", {redirect_uri}},
               {"grant_types", {"authorization_code", "refresh_token"}},
               {"response_types", {"code"}},
               {"token_endpoint_auth_method", wire::name_of(method)},
               {"application_type", "native"}};
  if (!scope_wanted.empty()) body["scope"] = scope_wanted;
  http::Request request;
  request.method = "POST";
  request.url = issuer.registration_endpoint;
  request.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}};
  request.body = body.dump();
  request.max_body = kMaxAnswer;
  request.max_redirects = 0;
  const auto response = co_await http.send(std::move(request), scope);
  if (!response) co_return tl::unexpected(outage(response.error()).error);
  const json answer = read_json(response->body);
  ClientCredentials client;
  client.issuer = issuer.issuer;
  client.id = text_member(answer, "client_id");
  client.secret = Secret(text_member(answer, "client_secret"));
  const std::string given = text_member(answer, "token_endpoint_auth_method");
  client.auth_method = given.empty() ? method : auth_method_named(given);
  client.redirect_uri = redirect_uri;
  if (answer.is_object()) client.expires_at = seconds_of(answer, "client_secret_expires_at");
  if (response->status / 100 != 2 || client.id.empty())
    co_return fail(
        ErrorKind::BackendError,
        "The authorization server did not register this program: " + said(*response, answer, {}) + ".",
        "Register a client there manually and set client_id in [servers.auth] of the server.");
  co_return client;
}

asio::awaitable<tl::expected<Granted, TokenFailure>> request_token(http::Client& http, std::string endpoint,
                                                                   ClientCredentials client, Form form,
                                                                   io::CancelScope scope) {
  const std::vector<std::string> secrets = secrets_of(client, form);
  http::Request request = form_request(std::move(endpoint), client, std::move(form));
  const auto response = co_await http.send(std::move(request), scope);
  if (!response) co_return tl::unexpected(outage(response.error()));
  const json answer = read_json(response->body);
  if (response->status != 200) {
    const bool outage = response->status >= 500 || response->status == 429;
    co_return tl::unexpected(
        TokenFailure{outage ? "" : error_code(answer),
                     Error(outage ? ErrorKind::BackendUnavailable : ErrorKind::BackendError,
                           "The authorization server gives no token: " + in_short(*response, answer) + "."),
                     said(*response, answer, secrets)});
  }
  Granted granted;
  granted.access = Secret(text_member(answer, "access_token"));
  granted.refresh = Secret(text_member(answer, "refresh_token"));
  granted.scope = join_scopes(split_scopes(text_member(answer, "scope")));
  const std::string type = lower_case(text_member(answer, "token_type"));
  if (granted.access.empty() || !is_header_safe(granted.access.reveal()) ||
      (!type.empty() && type != "bearer"))
    co_return tl::unexpected(TokenFailure{
        "invalid_response",
        Error(ErrorKind::BackendError, "The authorization server's answer contains no bearer token.",
              "Ask whoever runs it."),
        ""});
  granted.issued_at = unix_now();
  if (const std::int64_t lifetime = seconds_of(answer, "expires_in"); answer.contains("expires_in"))
    granted.expires_at = granted.issued_at + lifetime;
  co_return granted;
}

asio::awaitable<Result<void>> revoke(http::Client& http, Token token, io::CancelScope scope) {
  // Revoking the refresh token should revoke the others, but servers need not do so (RFC 7009 2.1).
  const std::pair<const char*, Secret> tokens[] = {{"refresh_token", token.refresh},
                                                   {"access_token", token.access}};
  for (const auto& [hint, secret] : tokens) {
    if (secret.empty()) continue;
    Form form;
    form.emplace_back("token", secret.reveal());
    form.emplace_back("token_type_hint", hint);
    const std::vector<std::string> secrets = secrets_of(token.client, form);
    http::Request request = form_request(token.revocation_endpoint, token.client, std::move(form));
    const auto response = co_await http.send(std::move(request), scope);
    if (!response) co_return tl::unexpected(outage(response.error()).error);
    if (response->status / 100 == 2) continue;
    const json answer = read_json(response->body);
    co_return fail(ErrorKind::BackendError, "The authorization server did not revoke the token: " +
                                                said(*response, answer, secrets) + ".");
  }
  co_return Result<void>();
}

}  // namespace leanbridge::upstream
