#include "pool.hpp"

#include "one_shot.hpp"

#include <exception>

namespace leanbridge::io {

asio::awaitable<Result<void>> Pool::finish(std::shared_ptr<Job> job, CancelScope scope) {
  auto ended = std::make_shared<OneShot<Result<void>>>();
  const auto executor = co_await asio::this_coro::executor;
  Task task = [ended, executor, job = std::move(job)]() mutable {
    Result<void> result;
    try {
      job->run();
    } catch (const std::exception& error) {
      result = fail(ErrorKind::Internal, error.what());
    }
    asio::post(executor, [ended = std::move(ended), job = std::move(job), result = std::move(result)] {
      ended->set(result);
    });
  };
  if (threads_)
    asio::post(*threads_, std::move(task));
  else
    defer_(std::move(task));
  const WaitStatus status = co_await ended->wait(scope);
  if (status == WaitStatus::Ready) co_return ended->take();
  if (status == WaitStatus::Cancelled) co_return call_cancelled();
  co_return fail(ErrorKind::Timeout, "The time of the call was over while files were being read.",
                 "Call again with a larger timeout_s.");
}

}  // namespace leanbridge::io
