#pragma once
/// The one error type. Everything that can fail for a reason a caller can act on returns Result<T>;
/// mcp::to_tool_error (src/mcp/tool_result.cpp) is the only place where an Error becomes JSON.

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include <string>
#include <string_view>

namespace leanbridge {

/// The kinds of the public contract; their wire names are given by wire_name().
enum class ErrorKind {
  InvalidArgument,
  FileNotFound,
  OutsideProject,
  NotALeanProject,
  LeanUnavailable,
  WorkerCrashed,
  Timeout,
  Cancelled,
  BackendUnavailable,
  BackendError,
  RateLimited,
  NotSupported,
  Internal,
};

/// "invalid_argument", "file_not_found", ... as in the tool contract.
std::string_view wire_name(ErrorKind kind);

struct [[nodiscard]] Error {
  ErrorKind kind;
  std::string message;  ///< one sentence: what happened, where
  std::string hint;     ///< what the caller, usually a model, can do next; may be empty

  Error(ErrorKind kind, std::string message, std::string hint = {})
      : kind(kind), message(std::move(message)), hint(std::move(hint)) {}

  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = tl::expected<T, Error>;

/// `return fail(ErrorKind::Timeout, "...", "...");` in a function that returns any Result.
inline tl::unexpected<Error> fail(ErrorKind kind, std::string message, std::string hint = {}) {
  return tl::unexpected<Error>(Error(kind, std::move(message), std::move(hint)));
}

/// For a wait that the call's cancellation has ended.
inline tl::unexpected<Error> call_cancelled() {
  return fail(ErrorKind::Cancelled, "The call was cancelled.");
}

}  // namespace leanbridge
