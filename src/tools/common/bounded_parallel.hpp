#pragma once
/// Runs coroutines in parallel, up to a limit. Private to this module.

#include "leanbridge/io/condition.hpp"

#include <algorithm>
#include <memory>

namespace leanbridge::tools {

namespace detail {

struct ParallelState {
  std::size_t next = 0;
  std::size_t running = 0;
  io::Condition changed;
};

template <class Work>
asio::awaitable<void> run_next_items(std::shared_ptr<ParallelState> state, std::shared_ptr<Work> work,
                                     std::size_t count) {
  while (state->next < count) {
    const std::size_t index = state->next++;
    co_await (*work)(index);
  }
  --state->running;
  state->changed.notify_all();
}

}  // namespace detail

/// Runs `work(0)`, ..., `work(count - 1)`, at most `width` at a time, and returns when all have ended. Each
/// is an awaitable<void> whose waits must all have deadlines.
template <class Work>
asio::awaitable<void> for_each_at_once(std::size_t count, std::size_t width, Work work) {
  auto state = std::make_shared<detail::ParallelState>();
  auto shared = std::make_shared<Work>(std::move(work));
  auto executor = co_await asio::this_coro::executor;
  state->running = std::min(count, width);
  for (std::size_t i = std::min(count, width); i > 0; --i)
    asio::co_spawn(executor, detail::run_next_items(state, shared, count), asio::detached);
  const auto all_done = [state] { return state->running == 0; };
  const io::CancelScope no_deadline(std::chrono::hours(48));  // each `work` has its own
  co_await io::wait_until(state->changed, no_deadline, all_done);
}

}  // namespace leanbridge::tools
