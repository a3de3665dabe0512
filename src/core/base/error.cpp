#include "error.hpp"

namespace leanbridge {

std::string_view wire_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::InvalidArgument:
      return "invalid_argument";
    case ErrorKind::FileNotFound:
      return "file_not_found";
    case ErrorKind::OutsideProject:
      return "outside_project";
    case ErrorKind::NotALeanProject:
      return "not_a_lean_project";
    case ErrorKind::LeanUnavailable:
      return "lean_unavailable";
    case ErrorKind::WorkerCrashed:
      return "worker_crashed";
    case ErrorKind::Timeout:
      return "timeout";
    case ErrorKind::Cancelled:
      return "cancelled";
    case ErrorKind::BackendUnavailable:
      return "backend_unavailable";
    case ErrorKind::BackendError:
      return "backend_error";
    case ErrorKind::RateLimited:
      return "rate_limited";
    case ErrorKind::NotSupported:
      return "not_supported";
    case ErrorKind::Internal:
      return "internal";
  }
  return "internal";
}

}  // namespace leanbridge
