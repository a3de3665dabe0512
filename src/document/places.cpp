#include "leanbridge/document/places.hpp"

namespace leanbridge::document {

bool Places::has_room() {
  while (documents_.open() + kept_ >= most_)
    if (!documents_.close_one_unused()) return false;
  return true;
}

std::optional<Places::Kept> Places::take() {
  if (!waiting_.empty() || !has_room()) return std::nullopt;
  ++kept_;
  return Kept(*this);
}

asio::awaitable<tl::expected<Places::Kept, io::WaitStatus>> Places::next(io::CancelScope scope) {
  if (auto free = take()) co_return std::move(*free);
  const auto freed = freed_;
  Waiting mine;
  waiting_.push_back(mine);
  const auto is_mine = [&] { return &waiting_.front() == &mine && has_room(); };
  const io::WaitStatus end = co_await io::wait_until(*freed, scope, is_mine);
  mine.unlink();
  if (end == io::WaitStatus::Ready) ++kept_;
  freed->notify_all();  // another one is the first now
  if (end != io::WaitStatus::Ready) co_return tl::unexpected(end);
  co_return Kept(*this);
}

void Places::give_back() {
  --kept_;
  freed_->notify_all();
}

}  // namespace leanbridge::document
