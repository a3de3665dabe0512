#pragma once
/// Threads for blocking work (files, /proc), which must not run on the loop's thread.

#include "leanbridge/io/one_shot.hpp"

#include <boost/asio/thread_pool.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace leanbridge::io {

/// A few threads. run() hands a function to one of them and posts its value back; nothing else is shared.
class Pool {
 public:
  using Task = std::function<void()>;

  explicit Pool(std::size_t threads = 2) : threads_(std::in_place, threads) {}
  /// A pool without threads, for tests that decide when tasks run: `defer` gets each task and must not run it
  /// at once.
  explicit Pool(std::function<void(Task)> defer) : defer_(std::move(defer)) {}
  ~Pool() {
    if (threads_) threads_->join();
  }

  /// Runs `work`, which returns a Result, on a pool thread. If the wait ends early, the work runs on and its
  /// result is dropped.
  template <class Work>
  asio::awaitable<std::invoke_result_t<Work>> run(Work work, CancelScope scope) {
    using Value = std::invoke_result_t<Work>;
    auto result = std::make_shared<OneShot<Value>>();
    auto executor = co_await asio::this_coro::executor;
    auto task = [result, executor, work = std::move(work)]() mutable {
      auto value = std::make_shared<Value>(guarded(work));
      asio::post(executor, [result = std::move(result), value] { result->set(std::move(*value)); });
    };
    if (threads_)
      asio::post(*threads_, std::move(task));
    else
      defer_([task = std::make_shared<decltype(task)>(std::move(task))] { (*task)(); });
    const WaitStatus end = co_await result->wait(scope);
    if (end == WaitStatus::Ready) co_return result->take();
    if (end == WaitStatus::Cancelled) co_return call_cancelled();
    co_return fail(ErrorKind::Timeout, "Reading from disk took longer than the call's deadline.",
                   "Call again with a larger timeout_s; the file system may be slow.");
  }

 private:
  template <class Work>
  static std::invoke_result_t<Work> guarded(Work& work) {
    try {
      return work();
    } catch (const std::exception& error) {
      return fail(ErrorKind::Internal, error.what());
    }
  }

  std::optional<asio::thread_pool> threads_;
  std::function<void(Task)> defer_;
};

}  // namespace leanbridge::io
