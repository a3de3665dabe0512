#include "authorized_request.hpp"

#include "core/base/secret.hpp"
#include "core/base/try.hpp"
#include "core/rpc/message.hpp"
#include "gateway/upstream/oauth.hpp"
#include "gateway/upstream/oauth/metadata.hpp"
#include "incoming.hpp"

#include <algorithm>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

constexpr std::size_t kExcerpt = 300;  // bytes of a body quoted in a message
constexpr std::size_t kMinSecret = 4;  // shorter values such as "1" occur everywhere
constexpr std::size_t kMaxRefusal = 64u << 10;

// Limits retries for servers that refuse every token.
constexpr int kMaxAttempts = 4;

}  // namespace

Result<void> check_url(const ServerConfig& server) {
  if (const auto origin = http::origin_of(server.url); !origin)
    return fail(ErrorKind::BackendUnavailable, origin.error().message,
                "Correct 'url' of server " + server.name + " in " + server.file.string() + ".");
  return {};
}

asio::awaitable<Result<http::Response>> exchange(std::shared_ptr<HttpContext> context, http::Request request,
                                                 http::StreamEvents events, io::CancelScope scope) {
  const bool with_token = context->authorization && authorization_kind(context->server) != AuthKind::Header;
  for (const auto& [name, value] : context->server.headers)
    request.headers.emplace_back(name, value.reveal());
  request.same_origin = true;
  for (int attempt = 0;; ++attempt) {
    http::Request one = request;
    auto refusal = std::make_shared<Authorization::Refusal>();  // set while an answer is held back
    refusal->attempt = attempt;
    if (with_token) {
      CO_TRY(const Secret token, co_await context->authorization->token(context->server, scope));
      if (!token.empty()) one.headers.emplace_back("Authorization", "Bearer " + token.reveal());
      refusal->token = context->last_token = token;
    }
    const bool may_retry = with_token && attempt < kMaxAttempts;
    http::StreamEvents heard;
    heard.on_headers = [refusal, events, may_retry](const http::Response& head) {
      const bool challenged =
          head.status == 401 || (head.status == 403 && !head.header("www-authenticate").empty());
      if (may_retry && challenged) {
        refusal->status = head.status;
        refusal->www_authenticate = challenges_of(head);
      } else {
        events.on_headers(head);
      }
    };
    auto text = std::make_shared<std::string>();  // of a held-back answer
    heard.on_bytes = [refusal, events, text](std::string_view bytes) {
      if (refusal->status == 0)
        events.on_bytes(bytes);
      else
        text->append(bytes.substr(0, kMaxRefusal - text->size()));
    };
    auto answer = co_await context->client.stream(std::move(one), std::move(heard), scope);
    if (!answer) {
      using Kind = http::Failure::Kind;
      const http::Failure& failure = answer.error();
      const ServerConfig& server = context->server;
      co_return fail(failure.kind == Kind::Cancelled ? ErrorKind::Cancelled : ErrorKind::BackendUnavailable,
                     printable(server, failure.message),
                     failure.kind != Kind::Redirects ? ""
                                                     : "If the server has moved, correct 'url' of " +
                                                           server.name + " in " + server.file.string() + ".");
    }
    if (refusal->status == 0) co_return std::move(*answer);
    Authorization::Refusal told = *refusal;
    CO_TRY(const bool renewed,
           co_await context->authorization->challenged(context->server, std::move(told), scope));
    if (!renewed) {
      events.on_headers(*answer);
      if (!text->empty()) events.on_bytes(*text);
      co_return std::move(*answer);
    }
  }
}

void answer_error(const Transport::Events& events, const json& id, std::string message, int status,
                  json more) {
  if (id.is_null()) return;
  more["http_status"] = status;
  json error = {{"code", kTransportError}, {"message", std::move(message)}, {"data", std::move(more)}};
  json response = {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(error)}};
  const auto on_message = events.on_message;
  if (auto read = rpc::message_from_json(std::move(response))) on_message(std::move(*read));
}

std::string describe_status(int status, std::string body, const HttpContext& context) {
  std::vector<std::string> secrets = {context.last_token.reveal()};
  for (const auto& [name, value] : context.server.headers) {
    const std::string& text = value.reveal();
    secrets.push_back(text);
    secrets.push_back(text.substr(text.rfind(' ') + 1));  // without the scheme
  }
  std::erase_if(secrets, [](const std::string& secret) { return secret.size() < kMinSecret; });
  body = without_secrets(std::move(body), secrets);
  std::string text = "HTTP " + std::to_string(status);
  body = context.server.in_written_form(std::move(body));
  if (const std::string said = printable(std::string_view(body).substr(0, kExcerpt)); !said.empty())
    text += ": " + said;
  return text;
}

Result<std::string> resolve_endpoint(const std::string& base, const std::string& given) {
  std::string clean = given;
  while (!clean.empty() && (clean.back() == ' ' || clean.back() == '\r')) clean.pop_back();
  const std::size_t authority = base.find("://") + 3;
  const std::size_t path = std::min(base.find_first_of("/?#", authority), base.size());
  const std::string origin = base.substr(0, path);
  std::string url;
  if (clean.find("://") != std::string::npos && clean.find("://") < clean.find_first_of("/?#")) {
    url = clean;
  } else if (clean.starts_with("//")) {
    url = base.substr(0, base.find("://") + 1) + clean;
  } else if (clean.starts_with("/")) {
    url = origin + clean;
  } else {
    std::string before = base.substr(path, base.find_first_of("?#", path) - path);
    if (clean.starts_with("?"))
      url = origin + before + clean;
    else
      url = origin + before.substr(0, before.rfind('/') + 1) + clean;
    if (before.empty()) url = origin + "/" + clean;
  }
  const auto ours = http::origin_of(base), theirs = http::origin_of(url);
  if (!ours || !theirs || *ours != *theirs)
    return fail(ErrorKind::BackendError,
                "It names an address on another origin for its messages, which is not allowed.");
  return url;
}

}  // namespace leanbridge::upstream
