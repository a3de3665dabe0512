// Functions that GCC 12's static libraries need from a C library newer than 2.34. The program's own
// definitions come first, and they are hidden from all other libraries.

#include "core/platform/linux/object_lookup.hpp"
#include <sys/random.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>

// libgcc calls this when an exception is thrown. In glibc since 2.35.
extern "C" [[gnu::used, gnu::visibility("hidden")]] int _dl_find_object(void* address,
                                                                        dl_find_object* result) noexcept {
  return leanbridge::platform::find_object(address, result);
}

// libstdc++ calls this in std::random_device. In glibc since 2.36. It cannot fail.
extern "C" [[gnu::used, gnu::visibility("hidden")]] std::uint32_t arc4random() noexcept {
  std::uint32_t number = 0;
  ssize_t size = 0;
  do size = ::getrandom(&number, sizeof number, 0);
  while (size < 0 && errno == EINTR);
  if (size != static_cast<ssize_t>(sizeof number)) std::abort();
  return number;
}
