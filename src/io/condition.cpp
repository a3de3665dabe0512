#include "leanbridge/io/condition.hpp"

namespace leanbridge::io {

asio::awaitable<WaitEnd> sleep_for(Clock::duration duration, Scope scope) {
  Condition nothing;
  const Clock::time_point until = Clock::now() + duration;
  const Scope inner = scope.at_most(duration);
  co_return co_await wait_until(nothing, inner, [until] { return Clock::now() >= until; });
}

}  // namespace leanbridge::io
