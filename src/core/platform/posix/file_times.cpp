#include "core/platform/files.hpp"

namespace leanbridge::platform {

namespace {

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

// POSIX has the first name of each member, stat(2) of macOS the other.
std::int64_t modified_ns(const struct stat& status) {
  return [](const auto& own) {
    if constexpr (requires { own.st_mtim; })
      return nanoseconds(own.st_mtim);
    else
      return nanoseconds(own.st_mtimespec);
  }(status);
}

std::int64_t changed_ns(const struct stat& status) {
  return [](const auto& own) {
    if constexpr (requires { own.st_ctim; })
      return nanoseconds(own.st_ctim);
    else
      return nanoseconds(own.st_ctimespec);
  }(status);
}

}  // namespace leanbridge::platform
