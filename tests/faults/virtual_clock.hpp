#pragma once
/// Time that passes only when nothing else can happen: deadlines of minutes cost nothing, and every run of a
/// seed is the same.

#include "core/io/asio.hpp"
#include "core/io/clock.hpp"

#include <algorithm>

namespace leanbridge::faults {

class VirtualClock : public io::Clock::Source {
 public:
  VirtualClock() { io::Clock::source = this; }
  ~VirtualClock() override { io::Clock::source = nullptr; }
  VirtualClock(const VirtualClock&) = delete;
  VirtualClock& operator=(const VirtualClock&) = delete;

  io::Clock::time_point now() override { return now_; }
  void next_timer_in(io::Clock::duration time) override { next_ = now_ + time; }

  /// Runs everything that can run without time passing.
  static void settle(asio::io_context& context) {
    do context.restart();
    while (context.poll() > 0);
  }

  /// Advances to the next timer of the loop, but not beyond `limit`, and runs what it wakes. False if the
  /// loop has nothing left to wait for.
  bool step(asio::io_context& context, io::Clock::time_point limit) {
    settle(context);
    if (context.stopped()) return false;
    look_at_timers(context);
    if (context.stopped()) return false;
    now_ = std::max(now_, std::min(next_, limit));
    look_at_timers(context);
    return true;
  }

 private:
  // Asio looks at its timers only when the kernel says that one is due. A timer of the past makes it say so,
  // and afterwards asks for the time of the next one: next_timer_in().
  void look_at_timers(asio::io_context& context) {
    next_ = io::Clock::time_point::max();
    io::Timer poke(context, io::Clock::time_point::min());
    poke.async_wait([](const boost::system::error_code&) {});
    next_ = io::Clock::time_point::max();
    settle(context);
  }

  io::Clock::time_point now_{std::chrono::hours(1000)};
  io::Clock::time_point next_ = io::Clock::time_point::max();
};

}  // namespace leanbridge::faults
