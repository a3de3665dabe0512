#pragma once
/// Coroutines that run concurrently, with one wait for all. Everything belongs to the io_context's thread.

#include "condition.hpp"

#include <cstddef>
#include <memory>
#include <utility>

namespace leanbridge::io {

/// Unlike Trio's nursery, the group does not own its tasks: they run on when a wait ends early or the group
/// is destroyed. To end them early, cancel the scope that they were given. Keep the objects alive that they
/// refer to.
class TaskGroup {
 public:
  /// Starts `task` on the executor. An exception ends that task alone and is dropped, as by asio::detached.
  void start(const asio::any_io_executor& executor, asio::awaitable<void> task);
  /// Starts a task with a value, which `result` receives.
  template <class Result, class Value>
  void start(const asio::any_io_executor& executor, std::shared_ptr<Result> result,
             asio::awaitable<Value> task) {
    start(executor, assign(std::move(result), std::move(task)));
  }

  /// Suspends until every task that was started has ended. Ready at once if none is running. Await at once.
  asio::awaitable<WaitStatus> wait(CancelScope scope) const {
    return wait_until(state_->ended, std::move(scope), [state = state_] { return state->running == 0; });
  }

  std::size_t running() const { return state_->running; }

 private:
  template <class Result, class Value>
  static asio::awaitable<void> assign(std::shared_ptr<Result> result, asio::awaitable<Value> task) {
    *result = co_await std::move(task);
  }

  struct State {
    std::size_t running = 0;
    Condition ended;  ///< notified whenever a task ends
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace leanbridge::io
