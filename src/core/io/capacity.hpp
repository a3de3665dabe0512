#pragma once
/// The number of workers that a machine can run, by what its system reports.

#include "core/platform/machine.hpp"

#include <cstddef>
#include <cstdint>

namespace leanbridge::io {

using platform::Capacity;
using platform::read_capacity;

/// The number of workers that fit if each takes as much as the first one and some more: at least one, at most
/// one per core. `worker_bytes`: the memory of the first one, which is running already.
std::size_t workers_for(const Capacity& capacity, std::int64_t worker_bytes);

/// The limit for one worker if the user has set none: an equal share, but at least 2 GiB. 0: unknown.
std::int64_t default_worker_limit(const Capacity& capacity, std::size_t workers);

}  // namespace leanbridge::io
