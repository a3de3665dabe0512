#include "remote.hpp"

#include "core/base/json.hpp"
#include "core/base/secret.hpp"
#include "core/text/untrusted.hpp"

namespace leanbridge::search {

using nlohmann::json;

namespace {

Problem problem_of(const http::Failure& failure, const std::string& title) {
  using Kind = http::Failure::Kind;
  const std::string message = title + ": " + failure.message;
  switch (failure.kind) {
    case Kind::Timeout:
      return problem(Failure::Timeout, message);
    case Kind::Cancelled:
      return problem(Failure::Cancelled, message);
    case Kind::TooLarge:
      return problem(Failure::ServerError, message);
    case Kind::BadUrl:
    case Kind::Redirects:
      return problem(Failure::ServerError, message, "Check the URL configured for " + title + ".");
    case Kind::Tls:
      return problem(Failure::Unavailable, message, "Set SSL_CERT_FILE for a private certificate authority.");
    default:
      return problem(Failure::Unavailable, message);
  }
}

/// The meaning of a status. A row for a class of statuses (`400` for all from 400 on) follows the rows for
/// single ones.
struct StatusMeaning {
  int status = 0;
  Failure failure = Failure::ServerError;
  const char* what = "";
};
constexpr StatusMeaning kMeanings[] = {{401, Failure::Auth, "denied access"},
                                       {403, Failure::Auth, "denied access"},
                                       {404, Failure::Unavailable, "has nothing at its address"},
                                       {405, Failure::Unavailable, "does not take queries at its address"},
                                       {410, Failure::Unavailable, "is no longer at its address"},
                                       {408, Failure::Timeout, "timed out"},
                                       {429, Failure::Unavailable, "is rate-limiting requests"},
                                       {502, Failure::Unavailable, "is unavailable"},
                                       {503, Failure::Unavailable, "is unavailable"},
                                       {504, Failure::Unavailable, "is unavailable"}};
constexpr StatusMeaning kRejected{400, Failure::Invalid, "rejected the query"},
    kFailed{500, Failure::ServerError, "failed"};

// The problem of a response whose status is not 2xx.
Problem problem_of(const http::Response& response, const std::string& title) {
  StatusMeaning meaning = response.status >= 400 && response.status < 500 ? kRejected : kFailed;
  for (const StatusMeaning& each : kMeanings)
    if (each.status == response.status) meaning = each;
  const std::string said = server_text(text::cleaned_json(read_json(response.body)));
  Problem made =
      problem(meaning.failure, title + " " + meaning.what + " (HTTP " + std::to_string(response.status) +
                                   ")" + (said.empty() ? "." : ": " + said));
  if (made.failure == Failure::Auth) made.hint = "Check the key or the headers configured for " + title + ".";
  if (response.status == 404 || response.status == 405 || response.status == 410)
    made.hint =
        "The service may have moved: use another search, or correct the URL configured for " + title + ".";
  if (made.failure == Failure::Invalid)
    made.hint = said.empty() ? "It does not say why: write the query in another way, or use another search."
                             : "Write the query as it says, or use another search.";
  if (made.failure == Failure::Unavailable)
    made.retry_after = http::retry_after(response, std::chrono::system_clock::now());
  made.rate_limited = response.status == 429;
  made.http_status = response.status;
  return made;
}

}  // namespace

std::optional<Problem> Remote::disabled_because() const {
  if (!endpoint_.enabled) return problem(Failure::Disabled, title_ + " is disabled in the configuration.");
  if (!offline_) return std::nullopt;
  // The default is on the internet; checking another address would load libcurl.
  if (!endpoint_.is_default) {
    const auto origin = http::origin_of(endpoint_.url);
    if (origin && origin->loopback()) return std::nullopt;
  }
  return problem(Failure::Offline, "The network is disabled (offline).");
}

asio::awaitable<Outcome<json>> Remote::get(std::string url, io::CancelScope scope) const {
  http::Request request;
  request.url = std::move(url);
  co_return co_await call(std::move(request), std::move(scope));
}

asio::awaitable<Outcome<json>> Remote::post(json body, io::CancelScope scope) const {
  http::Request request;
  request.method = "POST";
  request.url = endpoint_.url;
  request.headers = {{"Content-Type", "application/json"}};
  request.body = body.dump(-1, ' ', false, json::error_handler_t::replace);
  co_return co_await call(std::move(request), std::move(scope));
}

asio::awaitable<Outcome<json>> Remote::call(http::Request request, io::CancelScope scope) const {
  if (auto why = disabled_because()) co_return tl::unexpected(std::move(*why));
  request.headers.emplace_back("Accept", "application/json");
  for (const auto& [name, value] : endpoint_.headers) request.headers.emplace_back(name, value.reveal());
  const io::CancelScope limit = scope.with_timeout(endpoint_.timeout);
  auto answer = co_await network_.client.send(std::move(request), limit);
  if (!answer) co_return tl::unexpected(problem_of(answer.error(), title_));
  if (answer->status < 200 || answer->status > 299)
    co_return tl::unexpected(without_secrets(problem_of(*answer, title_)));
  co_return co_await read(std::move(answer->body), limit);
}

asio::awaitable<Outcome<json>> Remote::read(std::string body, io::CancelScope scope) const {
  auto work = [body = std::move(body)]() -> Result<json> { return text::cleaned_json(read_json(body)); };
  auto value = co_await network_.pool.run(std::move(work), scope);
  if (!value)
    co_return tl::unexpected(ended(value.error(), "Reading the answer of " + title_ + " timed out."));
  if (value->is_discarded())
    co_return tl::unexpected(problem(Failure::ServerError, title_ + " did not return JSON.",
                                     "The URL may be that of a web page, or a proxy may have answered."));
  co_return std::move(*value);
}

// Servers may quote the headers that they reject.
Problem Remote::without_secrets(Problem problem) const {
  std::vector<std::string> secrets;
  for (const auto& [name, value] : endpoint_.headers) {
    const std::string& secret = value.reveal();
    secrets.push_back(secret.starts_with("Bearer ") ? secret.substr(7) : secret);
  }
  problem.message = leanbridge::without_secrets(std::move(problem.message), secrets, "…");
  return problem;
}

}  // namespace leanbridge::search
