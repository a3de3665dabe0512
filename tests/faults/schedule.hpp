#pragma once
/// Events in virtual time. Those that are still to come when it is destroyed never happen.

#include "core/io/asio.hpp"
#include "core/io/clock.hpp"

#include <functional>
#include <memory>
#include <set>

namespace leanbridge::faults {

class Schedule {
 public:
  explicit Schedule(asio::io_context& context) : context_(context) {}
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;
  ~Schedule() { clear(); }

  void at(io::Clock::time_point time, std::function<void()> what) {
    const auto timer = std::make_shared<io::Timer>(context_, time);
    timers_->insert(timer);
    timer->async_wait([timer, timers = timers_, what = std::move(what)](boost::system::error_code error) {
      if (timers->erase(timer) == 0 || error) return;
      what();
    });
  }
  void after(io::Clock::duration time, std::function<void()> what) {
    at(io::Clock::now() + time, std::move(what));
  }
  void clear() {
    const auto gone = std::exchange(*timers_, {});
    for (const auto& timer : gone) timer->cancel();
  }

 private:
  asio::io_context& context_;
  std::shared_ptr<std::set<std::shared_ptr<io::Timer>>> timers_ =
      std::make_shared<std::set<std::shared_ptr<io::Timer>>>();
};

}  // namespace leanbridge::faults
