#include "fair_semaphore.hpp"

namespace leanbridge::io {

asio::awaitable<tl::expected<FairSemaphore::Permit, WaitStatus>> FairSemaphore::acquire(CancelScope scope) {
  if (free_ > 0) {  // a free permit means that there are no waiters
    --free_;
    co_return Permit(*this);
  }
  Waiting mine(scope);
  waiting_.join(mine);
  const WaitStatus end = co_await wait_until(mine.given, scope, [&] { return mine.permit.has_value(); });
  if (end != WaitStatus::Ready) co_return tl::unexpected(end);
  co_return std::move(*mine.permit);
}

void FairSemaphore::release() {
  TurnQueue::Place* const place = waiting_.first();
  if (!place) {
    ++free_;
    return;
  }
  auto& next = static_cast<Waiting&>(*place);
  next.unlink();
  waiting_.served(next);
  next.permit.emplace(Permit(*this));
  next.given.notify_all();
}

}  // namespace leanbridge::io
