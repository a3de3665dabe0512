#pragma once
/// Threads for blocking work (files, processes), which must not run on the loop's thread.

#include "condition.hpp"
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
  /// A pool without threads, for tests that decide when tasks run: `defer` gets each task, to be run later.
  explicit Pool(std::function<void(Task)> defer) : defer_(std::move(defer)) {}
  ~Pool() {
    if (threads_) threads_->join();
  }

  /// Runs `work`, which returns a Result, on a pool thread. If the wait ends early, the work runs on and its
  /// result is dropped.
  template <class Work>
  asio::awaitable<std::invoke_result_t<Work>> run(Work work, CancelScope scope) {
    return value_of<std::invoke_result_t<Work>>(std::make_shared<WorkJob<Work>>(std::move(work)),
                                                std::move(scope));
  }

 private:
  // Only the parts that depend on the types are templates; most of run() is compiled once.
  struct Job {
    virtual ~Job() = default;
    virtual void run() = 0;
  };
  template <class Value>
  struct ValueJob : Job {
    std::optional<Value> value;
  };
  template <class Work>
  struct WorkJob final : ValueJob<std::invoke_result_t<Work>> {
    explicit WorkJob(Work given) : work(std::move(given)) {}
    void run() override { this->value.emplace(work()); }
    Work work;
  };

  template <class Value>
  asio::awaitable<Value> value_of(std::shared_ptr<ValueJob<Value>> job, CancelScope scope) {
    const Result<void> done = co_await finish(job, std::move(scope));
    if (!done) co_return tl::unexpected(done.error());
    co_return std::move(*job->value);
  }

  /// Runs the job on a pool thread, and destroys it on the loop's.
  asio::awaitable<Result<void>> finish(std::shared_ptr<Job> job, CancelScope scope);

  std::optional<asio::thread_pool> threads_;
  std::function<void(Task)> defer_;
};

}  // namespace leanbridge::io
