#pragma once
/// A histogram of durations.

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstdint>

namespace leanbridge {

/// Counts durations in classes whose upper bounds grow by a factor of about three.
class Latency {
 public:
  void add(double ms);
  std::uint64_t count() const { return count_; }
  double mean_ms() const { return count_ ? total_ms_ / static_cast<double>(count_) : 0; }
  double max_ms() const { return max_ms_; }
  double total_ms() const { return total_ms_; }

  static constexpr std::array<int, 10> kBoundsMs = {1, 3, 10, 30, 100, 300, 1000, 3000, 10'000, 30'000};

  /// The number of durations in each class; the last class has no upper bound.
  const std::array<std::uint64_t, kBoundsMs.size() + 1>& classes() const { return counts_; }
  /// `{"<=1": n, ..., ">30000": n}`, without empty classes.
  nlohmann::json histogram() const;

 private:
  std::array<std::uint64_t, kBoundsMs.size() + 1> counts_{};
  std::uint64_t count_ = 0;
  double total_ms_ = 0;
  double max_ms_ = 0;
};

}  // namespace leanbridge
