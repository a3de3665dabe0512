#pragma once
/// The machine, where systems differ. Each folder beside this implements it for one system. Any thread.

#include <cstddef>
#include <cstdint>

namespace leanbridge::platform {

/// Fills at most 256 bytes with random ones from the system. Returns false if it has none.
bool fill_with_random_bytes(char* bytes, std::size_t count);

/// Lets Lean and the caller compute and read the disk before this thread, where the system knows priorities
/// of threads. On a busy machine the thread still gets a share.
void lower_priority_of_this_thread();

/// The processors and the memory that this process may use.
struct Capacity {
  std::size_t cores = 1;
  std::int64_t free_bytes = 0;  ///< of memory, where caches count as free; 0: unknown
};

/// The capacity of this process now. Blocking, but short.
Capacity read_capacity();

/// How far programs of this user can watch files; 0: no limit is known.
struct WatchLimits {
  std::uint64_t instances = 0;
  std::uint64_t in_use = 0;  ///< instances that are visible
  std::uint64_t watches = 0;
};

/// Blocking: looks at each process.
WatchLimits watch_limits();

}  // namespace leanbridge::platform
