#include "capacity.hpp"

#include <algorithm>

namespace leanbridge::io {

namespace {

constexpr std::int64_t kMinWorkerLimit = std::int64_t{2} << 30;

}  // namespace

std::size_t workers_for(const Capacity& capacity, std::int64_t worker_bytes) {
  if (capacity.free_bytes <= 0 || worker_bytes <= 0) return capacity.cores;
  // Proofs may need more than the first one did. Half as much again is enough: resident memory counts the
  // shared pages of compiled files once per worker.
  const std::int64_t each = worker_bytes + worker_bytes / 2;
  const auto more = static_cast<std::size_t>(capacity.free_bytes / each);
  return std::clamp<std::size_t>(1 + more, 1, capacity.cores);
}

std::int64_t default_worker_limit(const Capacity& capacity, std::size_t workers) {
  if (capacity.free_bytes <= 0) return 0;
  const auto share = capacity.free_bytes / static_cast<std::int64_t>(std::max<std::size_t>(workers, 1));
  return std::max(kMinWorkerLimit, share);
}

}  // namespace leanbridge::io
