#pragma once
/// The machine, where systems differ. Each folder beside this header implements it for one system. Any
/// thread.

#include <cstddef>

namespace leanbridge::platform {

/// Fills at most 256 bytes with random ones from the system. Returns false if it has none.
bool fill_with_random_bytes(char* bytes, std::size_t count);

/// Lets Lean and the caller compute and read the disk before this thread, where the system knows priorities
/// of threads. On a busy machine the thread still gets a share.
void lower_priority_of_this_thread();

}  // namespace leanbridge::platform
