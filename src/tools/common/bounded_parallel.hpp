#pragma once
/// Several questions at once, bounded. Private to this module.

#include "leanbridge/io/condition.hpp"

#include <algorithm>
#include <memory>

namespace leanbridge::tools {

namespace detail {

struct AtOnce {
  std::size_t next = 0;
  std::size_t running = 0;
  io::Condition changed;
};

template <class Work>
asio::awaitable<void> take_turns(std::shared_ptr<AtOnce> state, std::shared_ptr<Work> work,
                                 std::size_t count) {
  while (state->next < count) {
    const std::size_t index = state->next++;
    co_await (*work)(index);
  }
  --state->running;
  state->changed.notify_all();
}

}  // namespace detail

/// Runs `work(0)`, ..., `work(count - 1)`, each an awaitable<void> that ends by itself (every wait has a
/// deadline), at most `width` at a time, and returns when all have ended.
template <class Work>
asio::awaitable<void> for_each_at_once(std::size_t count, std::size_t width, Work work) {
  auto state = std::make_shared<detail::AtOnce>();
  auto shared = std::make_shared<Work>(std::move(work));
  auto executor = co_await asio::this_coro::executor;
  state->running = std::min(count, width);
  for (std::size_t i = std::min(count, width); i > 0; --i)
    asio::co_spawn(executor, detail::take_turns(state, shared, count), asio::detached);
  const auto all_done = [state] { return state->running == 0; };
  const io::CancelScope until_they_end(std::chrono::hours(48));
  co_await io::wait_until(state->changed, until_they_end, all_done);
}

}  // namespace leanbridge::tools
