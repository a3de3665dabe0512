// The parts of Asio that are not templates.
#include "asio.hpp"

#include <boost/asio/impl/src.hpp>

#include <utility>

namespace leanbridge::io {

asio::io_context& context_of(const asio::any_io_executor& executor) {
  return static_cast<asio::io_context&>(asio::query(executor, asio::execution::context));
}

void spawn(const asio::any_io_executor& executor, asio::awaitable<void> task) {
  asio::co_spawn(executor, std::move(task), asio::detached);
}

void spawn(asio::io_context& context, asio::awaitable<void> task) {
  spawn(context.get_executor(), std::move(task));
}

void spawn(const asio::any_io_executor& executor, std::function<asio::awaitable<void>()> start) {
  const auto run = [](std::function<asio::awaitable<void>()> kept) -> asio::awaitable<void> {
    co_await kept();
  };
  spawn(executor, run(std::move(start)));
}

}  // namespace leanbridge::io
