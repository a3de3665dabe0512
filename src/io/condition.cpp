#include "leanbridge/io/condition.hpp"

namespace leanbridge::io {

asio::awaitable<WaitStatus> sleep_for(Clock::duration duration, CancelScope scope) {
  Condition nothing;
  const Clock::time_point until = Clock::now() + duration;
  const CancelScope inner = scope.with_timeout(duration);
  co_return co_await wait_until(nothing, inner, [until] { return Clock::now() >= until; });
}

}  // namespace leanbridge::io
