#include "core/platform/files.hpp"

namespace leanbridge::platform {

namespace {

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

std::int64_t modified_ns(const struct stat& status) {
  return nanoseconds(status.st_mtim);
}

std::int64_t changed_ns(const struct stat& status) {
  return nanoseconds(status.st_ctim);
}

}  // namespace leanbridge::platform
