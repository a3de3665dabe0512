#include "core/platform/files.hpp"

namespace leanbridge::platform {

namespace {

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

// Other names of the members: stat(2).
std::int64_t modified_ns(const struct stat& status) {
  return nanoseconds(status.st_mtimespec);
}

std::int64_t changed_ns(const struct stat& status) {
  return nanoseconds(status.st_ctimespec);
}

}  // namespace leanbridge::platform
