#pragma once
/// The clock of all waits, and its timers.

#include <boost/asio/basic_waitable_timer.hpp>

#include <chrono>

namespace leanbridge::io {

/// Gives steady_clock's time, unless a test has installed a source of its own: then minutes of waiting pass
/// at once, and in the same way in every run.
struct Clock {
  using duration = std::chrono::steady_clock::duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::steady_clock::time_point;
  static constexpr bool is_steady = true;

  class Source {
   public:
    virtual ~Source() = default;
    virtual time_point now() = 0;
    /// Called when the loop has looked at its timers: the next one is due in `time`, unless it is cancelled.
    virtual void next_timer_in(duration time) = 0;
  };
  /// Tests set this before any other use of the clock. Null means real time.
  static inline Source* source = nullptr;

  static time_point now() { return source ? source->now() : std::chrono::steady_clock::now(); }
};

/// The deadline of a wait that ends only by its event or by cancellation.
inline constexpr Clock::duration kNoDeadline = std::chrono::hours(24 * 365);

struct WaitTraits {
  static Clock::duration to_wait_duration(const Clock::duration& time) {
    if (Clock::source) Clock::source->next_timer_in(time);
    return time;
  }
  static Clock::duration to_wait_duration(const Clock::time_point& until) {
    return to_wait_duration(until - Clock::now());
  }
};

using Timer = boost::asio::basic_waitable_timer<Clock, WaitTraits>;

}  // namespace leanbridge::io
