#pragma once
/// Runs coroutines in parallel, up to a limit.

#include "core/io/task_group.hpp"

#include <algorithm>
#include <memory>

namespace leanbridge::ide {

namespace detail {

template <class Work>
asio::awaitable<void> run_next_items(std::shared_ptr<std::size_t> next, std::shared_ptr<Work> work,
                                     std::size_t count) {
  while (*next < count) {
    const std::size_t index = (*next)++;
    co_await (*work)(index);
  }
}

}  // namespace detail

/// Runs `work(0)`, ..., `work(count - 1)`, at most `width` at a time, and returns when all have ended. Each
/// is an awaitable<void> whose waits must all have deadlines.
template <class Work>
asio::awaitable<void> for_each_at_once(std::size_t count, std::size_t width, Work work) {
  auto next = std::make_shared<std::size_t>(0);
  auto shared = std::make_shared<Work>(std::move(work));
  const auto executor = co_await asio::this_coro::executor;
  io::TaskGroup tasks;
  for (std::size_t i = std::min(count, width); i > 0; --i)
    tasks.start(executor, detail::run_next_items(next, shared, count));
  co_await tasks.wait(io::CancelScope(std::chrono::hours(48)));  // each `work` has its own deadline
}

}  // namespace leanbridge::ide
