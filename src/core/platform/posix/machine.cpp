#include "core/platform/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <thread>

namespace leanbridge::platform {

bool fill_with_random_bytes(char* bytes, std::size_t count) {
  return ::getentropy(bytes, count) == 0;  // at most 256
}

void lower_priority_of_this_thread() {}  // only whole processes have priorities

Capacity read_capacity() {
  return {std::max<std::size_t>(std::thread::hardware_concurrency(), 1), 0};
}

WatchLimits watch_limits() {
  return {};
}

}  // namespace leanbridge::platform
