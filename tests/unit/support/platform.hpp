#pragma once
/// Which folder of src/core/platform is under test.

#include <cstdlib>
#include <string_view>

namespace leanbridge::test {

/// `linux`, `macos` or `posix`, by LEANBRIDGE_TEST_PLATFORM, or as built.
inline std::string_view platform() {
  const char* const named = std::getenv("LEANBRIDGE_TEST_PLATFORM");
  return named != nullptr ? named : LEANBRIDGE_PLATFORM;
}

}  // namespace leanbridge::test
