#include "leanbridge/io/fair_semaphore.hpp"

namespace leanbridge::io {

asio::awaitable<tl::expected<FairSemaphore::Permit, WaitStatus>> FairSemaphore::acquire(CancelScope scope) {
  if (free_ > 0) {  // then nobody is waiting
    --free_;
    co_return Permit(*this);
  }
  Waiting mine;
  waiting_.push_back(mine);
  const WaitStatus end = co_await wait_until(mine.given, scope, [&] { return mine.permit.has_value(); });
  if (end != WaitStatus::Ready) co_return tl::unexpected(end);
  co_return std::move(*mine.permit);
}

void FairSemaphore::release() {
  if (waiting_.empty()) {
    ++free_;
    return;
  }
  Waiting& first = waiting_.front();
  waiting_.pop_front();
  first.permit.emplace(Permit(*this));
  first.given.notify_all();
}

}  // namespace leanbridge::io
