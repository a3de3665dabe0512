#include "condition.hpp"

namespace leanbridge::io {

asio::awaitable<WaitStatus> wait_until(Condition& condition, CancelScope scope,
                                       std::function<bool()> predicate) {
  if (predicate()) co_return WaitStatus::Ready;
  Timer timer(co_await asio::this_coro::executor);
  detail::WaitNode on_change, on_cancel;
  on_change.timer = on_cancel.timer = &timer;
  condition.waiting_.push_back(on_change);
  scope.cancel->changed.waiting_.push_back(on_cancel);
  for (;;) {
    if (predicate()) co_return WaitStatus::Ready;
    if (scope.cancel->cancelled()) co_return WaitStatus::Cancelled;
    if (Clock::now() >= scope.deadline) co_return WaitStatus::TimedOut;
    timer.expires_at(scope.deadline);
    boost::system::error_code ignored;  // operation_aborted means a notification
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
}

asio::awaitable<WaitStatus> sleep_for(Clock::duration duration, CancelScope scope) {
  Condition nothing;
  const Clock::time_point until = Clock::now() + duration;
  const CancelScope inner = scope.with_timeout(duration);
  co_return co_await wait_until(nothing, inner, [until] { return Clock::now() >= until; });
}

}  // namespace leanbridge::io
