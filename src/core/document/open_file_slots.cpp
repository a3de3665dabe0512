#include "open_file_slots.hpp"

namespace leanbridge::document {

bool OpenFileSlots::has_room() {
  while (documents_.open() + reserved_ >= limit_)
    if (!documents_.close_one_unused()) return false;
  return true;
}

std::optional<OpenFileSlots::Slot> OpenFileSlots::try_acquire() {
  if (!waiting_.empty() || !has_room()) return std::nullopt;
  ++reserved_;
  return Slot(*this);
}

asio::awaitable<tl::expected<OpenFileSlots::Slot, io::WaitStatus>> OpenFileSlots::acquire(
    io::CancelScope scope) {
  if (auto free = try_acquire()) co_return std::move(*free);
  const auto freed = freed_;
  io::TurnQueue::Place mine(scope);
  waiting_.join(mine);
  const auto is_mine = [&] { return waiting_.first() == &mine && has_room(); };
  const io::WaitStatus end = co_await io::wait_until(*freed, scope, is_mine);
  mine.unlink();
  if (end == io::WaitStatus::Ready) {
    ++reserved_;
    waiting_.served(mine);
  }
  freed->notify_all();  // another waiter is first now
  if (end != io::WaitStatus::Ready) co_return tl::unexpected(end);
  co_return Slot(*this);
}

void OpenFileSlots::give_back() {
  --reserved_;
  freed_->notify_all();
}

}  // namespace leanbridge::document
