#include "task_group.hpp"

#include <exception>

namespace leanbridge::io {

void TaskGroup::start(const asio::any_io_executor& executor, asio::awaitable<void> task) {
  ++state_->running;
  asio::co_spawn(executor, std::move(task), [state = state_](const std::exception_ptr&) {
    --state->running;
    state->ended.notify_all();
  });
}

}  // namespace leanbridge::io
