#include "backend_error.hpp"

#include "leanbridge/base/json.hpp"
#include "leanbridge/text/untrusted.hpp"

#include <nlohmann/json.hpp>

namespace leanbridge::search {

using nlohmann::json;

Problem problem(Failure failure, std::string message, std::string hint) {
  Problem made;
  made.failure = failure;
  made.message = std::move(message);
  made.hint = std::move(hint);
  return made;
}

std::string one_line(std::string_view text, std::size_t limit) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 32 && byte != 127)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (line.size() > limit) {
    while (limit > 0 && (static_cast<unsigned char>(line[limit]) & 0xc0) == 0x80) --limit;
    line = line.substr(0, limit) + "…";
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::string server_text(const json& body) {
  if (!body.is_object()) return "";
  for (const char* key : {"error", "msg", "message", "detail"}) {
    const auto found = body.find(key);
    if (found == body.end()) continue;
    if (found->is_string()) return one_line(found->get<std::string>());
    // FastAPI: a list of {"loc", "msg", "type"}
    if (found->is_array() && !found->empty()) return server_text(found->front());
    if (found->is_object()) return server_text(*found);
  }
  return "";
}

Problem problem_of(const http::Failure& failure, const std::string& title) {
  using FailureKind = http::Failure::Kind;
  const std::string message = title + ": " + failure.message;
  switch (failure.kind) {
    case FailureKind::Timeout:
      return problem(Failure::Timeout, message);
    case FailureKind::Cancelled:
      return problem(Failure::Cancelled, message);
    case FailureKind::TooLarge:
      return problem(Failure::ServerError, message);
    case FailureKind::BadUrl:
    case FailureKind::Redirects:
      return problem(Failure::ServerError, message, "Check the URL configured for " + title + ".");
    case FailureKind::Tls:
      return problem(Failure::Unavailable, message, "Set SSL_CERT_FILE for a private certificate authority.");
    case FailureKind::Resolve:
    case FailureKind::Connect:
    case FailureKind::Truncated:
    case FailureKind::Other:
      break;
  }
  return problem(Failure::Unavailable, message);
}

Problem problem_of(const http::Response& response, const std::string& title) {
  const int status = response.status;
  const json body = text::cleaned_json(read_json(response.body));
  const std::string said = body.is_discarded() ? "" : server_text(body);
  const auto because = [&](const std::string& what) {
    return title + " " + what + " (HTTP " + std::to_string(status) + ")" + (said.empty() ? "." : ": " + said);
  };
  Problem made;
  if (status == 401 || status == 403) {
    made = problem(Failure::Auth, because("denied access"),
                   "Check the key or the headers configured for " + title + ".");
  } else if (status == 429) {
    made = problem(Failure::Unavailable, because("is rate-limiting requests"));
    made.rate_limited = true;
  } else if (status == 502 || status == 503 || status == 504) {
    made = problem(Failure::Unavailable, because("is unavailable"));
  } else if (status == 408) {
    made = problem(Failure::Timeout, because("timed out"));
  } else if (status >= 400 && status < 500) {
    made = problem(Failure::Invalid, because("rejected the query"));
  } else {
    made = problem(Failure::ServerError, because("failed"));
  }
  made.http_status = status;
  if (made.failure == Failure::Unavailable)
    made.retry_after = http::retry_after(response, std::chrono::system_clock::now());
  return made;
}

Problem wrong_shape(const std::string& title, const std::string& expected) {
  return problem(Failure::ServerError, title + " returned unexpected JSON: expected " + expected + ".",
                 "The service may have changed; check its configured URL and version.");
}

}  // namespace leanbridge::search
