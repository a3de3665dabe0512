#pragma once
/// Tests that an emulator of another machine cannot run, as qemu-user for aarch64 (docs/testing.md).

#include <cstdlib>

namespace leanbridge::test {

/// Whether an emulator runs this program; scripts/lib/emulate says so.
inline bool is_emulated() {
  return std::getenv("LEANBRIDGE_TEST_EMULATOR") != nullptr;
}

}  // namespace leanbridge::test

/// Ends the test case there, with a line that scripts/lib/unit.sh counts.
#define SKIP_UNDER_EMULATOR(reason)                  \
  if (leanbridge::test::is_emulated()) {             \
    WARN("skipped under an emulator: " << (reason)); \
    return;                                          \
  }                                                  \
  static_assert(true)
