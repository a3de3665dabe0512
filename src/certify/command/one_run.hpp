#pragma once
/// Runs one coroutine to its end, for a command.

#include "core/io/pool.hpp"
#include "core/io/seconds.hpp"
#include "core/program/interrupts.hpp"
#include "core/program/output.hpp"

#include <utility>

namespace leanbridge::app {

/// Runs one coroutine on a loop of its own, with its progress on stderr, until it ends or a signal cancels
/// it.
template <class Value>
class OneRun {
 public:
  explicit OneRun(double seconds) : scope_(io::to_duration(seconds)) {}

  template <class Start>
  Result<Value> run(Start start) {
    auto answer = run_work(context_, start(pool_, scope_), scope_.cancel);
    progress_.clear();
    interrupted_ = !answer;
    if (interrupted_) return fail(ErrorKind::Cancelled, "The run was interrupted.");
    return std::move(*answer);
  }
  bool interrupted() const { return interrupted_; }
  ProgressLine& progress() { return progress_; }

 private:
  asio::io_context context_{1};
  io::Pool pool_;
  io::CancelScope scope_;
  ProgressLine progress_{context_};
  bool interrupted_ = false;
};

}  // namespace leanbridge::app
