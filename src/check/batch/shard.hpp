#pragma once
/// This process's share of a batch: the I-th of N parts. Pure, no I/O.

#include "core/base/error.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace leanbridge::batch {

struct Shard {
  std::size_t index = 1;  ///< from 1 to count
  std::size_t count = 1;

  /// Whether item number `position` (from 0, over the whole input) belongs to it. Neighbours, which tend to
  /// have similar costs, go to different shards.
  bool has(std::size_t position) const { return position % count == index - 1; }
  /// The number of `items` that belong to it.
  std::size_t share_of(std::size_t items) const { return items / count + (items % count >= index ? 1 : 0); }

  friend bool operator==(const Shard&, const Shard&) = default;
};

/// Reads "3/16". Error: InvalidArgument.
Result<Shard> read_shard(const std::string& text);

using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The shard that a scheduler gives to this process: a task of a Slurm array (SLURM_ARRAY_TASK_ID, _COUNT,
/// _MIN, _STEP), or a pod of an Indexed Job of Kubernetes (JOB_COMPLETION_INDEX, which it sets, and
/// JOB_COMPLETIONS, which the manifest must set). The whole input if there is no scheduler. InvalidArgument
/// if the variables contradict each other, as for an array with gaps.
Result<Shard> shard_from(const Environment& environment);

}  // namespace leanbridge::batch
