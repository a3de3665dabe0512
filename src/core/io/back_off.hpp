#pragma once
/// Pauses between failing attempts.

#include "clock.hpp"

#include <algorithm>

namespace leanbridge::io {

/// The attempt after the first failure may follow at once; the pauses after further failures double, from
/// `first` up to `longest`.
class BackOff {
 public:
  BackOff(Clock::duration first, Clock::duration longest) : first_(first), longest_(longest) {}

  void failed() {
    next_ = Clock::now() + pause_;
    pause_ = pause_ == Clock::duration() ? first_ : std::min(2 * pause_, longest_);
  }
  /// Forgets all failures.
  void reset() {
    pause_ = {};
    next_ = {};
  }
  /// The time until the next attempt; zero: it may begin.
  Clock::duration left() const { return std::max(next_ - Clock::now(), Clock::duration()); }
  bool over() const { return left() == Clock::duration(); }

 private:
  Clock::duration first_, longest_;
  Clock::duration pause_{};  // after the next failure
  Clock::time_point next_{};
};

}  // namespace leanbridge::io
