#include "leanbridge/search/backend.hpp"

namespace leanbridge::search {

namespace {

ErrorKind kind_of(const Problem& problem) {
  if (problem.rate_limited) return ErrorKind::RateLimited;
  switch (problem.failure) {
    case Failure::Timeout:
      return ErrorKind::Timeout;
    case Failure::Unavailable:
      return ErrorKind::BackendUnavailable;
    case Failure::Invalid:
      return ErrorKind::InvalidArgument;
    case Failure::Cancelled:
      return ErrorKind::Cancelled;
    case Failure::ServerError:
    case Failure::Auth:
      return ErrorKind::BackendError;
  }
  return ErrorKind::BackendError;
}

}  // namespace

std::string_view wire_name(Failure failure) {
  switch (failure) {
    case Failure::Timeout:
      return "timeout";
    case Failure::Unavailable:
      return "unavailable";
    case Failure::Invalid:
      return "invalid";
    case Failure::ServerError:
      return "server_error";
    case Failure::Auth:
      return "auth";
    case Failure::Cancelled:
      return "cancelled";
  }
  return "server_error";
}

Error to_error(const Problem& problem) {
  std::string hint = problem.hint;
  if (!problem.suggestions.empty()) {
    hint += hint.empty() ? "Try: " : " Try: ";
    for (std::size_t i = 0; i < problem.suggestions.size(); ++i)
      hint += (i ? ", " : "") + problem.suggestions[i];
  }
  return Error(kind_of(problem), problem.message, std::move(hint));
}

}  // namespace leanbridge::search
