#pragma once
/// Runs one coroutine to its end, for a command.

#include "core/io/condition.hpp"
#include "core/io/pool.hpp"
#include "interrupts.hpp"
#include "output.hpp"

#include <chrono>
#include <utility>

namespace leanbridge::app {

/// Runs one coroutine on a loop of its own, with its progress on stderr, until it ends or a signal cancels
/// it.
template <class Value>
class OneRun {
 public:
  explicit OneRun(double seconds)
      : scope_(std::chrono::duration_cast<io::Clock::duration>(std::chrono::duration<double>(seconds))) {}

  template <class Start>
  Result<Value> run(Start start) {
    io::spawn(context_, wait_for(start(pool_, scope_)));
    context_.run();
    return std::move(answer_);
  }
  bool interrupted() const { return interrupts_.heard(); }
  ProgressLine& progress() { return progress_; }

 private:
  asio::awaitable<void> wait_for(asio::awaitable<Result<Value>> work) {
    answer_ = co_await std::move(work);
    progress_.clear();
    interrupts_.stop();
    context_.stop();
  }

  asio::io_context context_{1};
  io::Pool pool_;
  io::CancelScope scope_;
  Interrupts interrupts_{context_, [this] { scope_.cancel->cancel(); }, [this] { context_.stop(); }};
  ProgressLine progress_{context_};
  Result<Value> answer_ = fail(ErrorKind::Cancelled, "The run was interrupted.");
};

}  // namespace leanbridge::app
