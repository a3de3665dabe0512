#pragma once
/// The time by which everything here waits, and its timers.

#include <boost/asio/basic_waitable_timer.hpp>

#include <chrono>

namespace leanbridge::io {

/// steady_clock's time, unless a test has put a source of its own in its place: then minutes of waiting may
/// pass in no time, and in the same way at every run.
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
    /// The loop has looked at its timers: the next one is due in `time`, unless it is cancelled.
    virtual void next_timer_in(duration time) = 0;
  };
  /// For tests, before any other use of the clock. Null: the real time.
  static inline Source* source = nullptr;

  static time_point now() { return source ? source->now() : std::chrono::steady_clock::now(); }
};

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
