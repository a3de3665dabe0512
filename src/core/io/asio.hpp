#pragma once
/// The only header that includes the coroutine parts of Boost.Asio. Starts coroutines.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <functional>

namespace leanbridge {
namespace asio = boost::asio;
}

namespace leanbridge::io {

/// The loop on which a coroutine of this executor runs. Every coroutine runs on one.
asio::io_context& context_of(const asio::any_io_executor& executor);

/// Starts a coroutine on the loop's thread; its end is not awaited. An exception ends it alone and is
/// dropped. Not a template, unlike asio::co_spawn(), which every file would compile again.
void spawn(const asio::any_io_executor& executor, asio::awaitable<void> task);
void spawn(asio::io_context& context, asio::awaitable<void> task);
/// Keeps the function's captures until its coroutine has ended.
void spawn(const asio::any_io_executor& executor, std::function<asio::awaitable<void>()> start);

}  // namespace leanbridge::io
