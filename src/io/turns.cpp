#include "leanbridge/io/turns.hpp"

namespace leanbridge::io {

asio::awaitable<tl::expected<Turns::Turn, WaitEnd>> Turns::next(Scope scope) {
  if (free_ > 0) {  // so nobody waits
    --free_;
    co_return Turn(*this);
  }
  Waiting mine;
  waiting_.push_back(mine);
  const WaitEnd end = co_await wait_until(mine.given, scope, [&] { return mine.turn.has_value(); });
  if (end != WaitEnd::Ready) co_return tl::unexpected(end);
  co_return std::move(*mine.turn);
}

void Turns::give_back() {
  if (waiting_.empty()) {
    ++free_;
    return;
  }
  Waiting& first = waiting_.front();
  waiting_.pop_front();
  first.turn.emplace(Turn(*this));
  first.given.notify_all();
}

}  // namespace leanbridge::io
