#include "processor_meter.hpp"

#include <algorithm>
#include <chrono>

namespace leanbridge::ide {

namespace {
constexpr auto kProcessorLook = std::chrono::seconds(2);  // for looking at processes
}

// The worker's processor time. Looks for the worker if it is unknown or gone; negative: there is none.
asio::awaitable<double> ProcessorMeter::read(io::CancelScope scope) {
  using Seen = std::pair<int, double>;
  const auto see = [source = source_, server = server_, uri = uri_, known = pid_]() -> Result<Seen> {
    const double seconds = known > 0 ? source.seconds(known) : -1;
    if (seconds >= 0) return Seen{known, seconds};
    const int found = source.worker_of(server, uri);
    return Seen{found, found > 0 ? source.seconds(found) : -1};
  };
  const auto seen = co_await pool_.run(see, scope.with_timeout(kProcessorLook));
  looked_ = io::Clock::now();
  if (!seen) co_return -1;
  if (seen->first != pid_) last_ = 0;  // a new process: all of its time counts
  pid_ = seen->first;
  co_return seen->second;
}

asio::awaitable<void> ProcessorMeter::follow(int server, std::string uri, io::CancelScope scope) {
  server_ = server;
  uri_ = std::move(uri);
  pid_ = 0;
  const double now = co_await read(std::move(scope));
  last_ = std::max(now, 0.0);
}

asio::awaitable<void> ProcessorMeter::look(io::CancelScope scope) {
  const auto before = looked_;
  const double now = co_await read(std::move(scope));
  if (now >= 0) {
    seconds_ += std::max(now - last_, 0.0);
    last_ = now;
  } else {
    seconds_ += std::chrono::duration<double>(looked_ - before).count();
    is_processor_time_ = false;
  }
}

}  // namespace leanbridge::ide
