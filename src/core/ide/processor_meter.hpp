#pragma once
/// The processor time that workers use for a call.

#include "core/io/condition.hpp"
#include "core/io/pool.hpp"
#include "core/lean/server.hpp"
#include "core/platform/processes.hpp"

#include <functional>
#include <string>

namespace leanbridge::ide {

/// Adds up the processor time of successive workers. Where the system does not tell it, counts the time on
/// the clock. Belongs to the loop's thread; looks at processes on the pool.
class ProcessorMeter {
 public:
  struct Source {
    std::function<int(int server, const std::string& uri)> worker_of = lean::worker_of;
    std::function<double(int pid)> seconds = platform::processor_seconds;
  };
  explicit ProcessorMeter(io::Pool& pool) : ProcessorMeter(pool, Source()) {}
  ProcessorMeter(io::Pool& pool, Source source) : pool_(pool), source_(std::move(source)) {}

  /// Counts, from now on, the worker of the document below the process `server`: from its present time on, or
  /// all its time if it starts only later.
  asio::awaitable<void> follow(int server, std::string uri, io::CancelScope scope);
  /// Adds the worker's time since the last look.
  asio::awaitable<void> look(io::CancelScope scope);

  double seconds() const { return seconds_; }
  /// False: part of it is time on the clock.
  bool is_processor_time() const { return is_processor_time_; }

 private:
  asio::awaitable<double> read(io::CancelScope scope);

  io::Pool& pool_;
  Source source_;
  int server_ = 0;
  std::string uri_;
  int pid_ = 0;      // of the worker; 0: not found yet
  double last_ = 0;  // its time at the last look
  io::Clock::time_point looked_{};
  double seconds_ = 0;
  bool is_processor_time_ = true;
};

}  // namespace leanbridge::ide
