#pragma once
/// The one error type. A function returns Result<T> if it can fail for a reason that a caller can act on.
/// Only mcp::to_tool_error (src/core/mcp/tool_result.cpp) turns an Error into JSON.

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include <string>
#include <string_view>

namespace leanbridge {

/// The error kinds of the tool contract; wire_name() gives their names on the wire.
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

/// "invalid_argument", "file_not_found", ...
std::string_view wire_name(ErrorKind kind);

struct [[nodiscard]] Error {
  ErrorKind kind;
  std::string message;  ///< one sentence: what happened, and where
  std::string hint;     ///< advice for the caller, usually a model; may be empty

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

/// The error of a wait that was ended by the cancellation of its call.
inline tl::unexpected<Error> call_cancelled() {
  return fail(ErrorKind::Cancelled, "The call was cancelled.");
}

}  // namespace leanbridge
