#pragma once
/// A bound on how many do something at once. Permits are given in the order in which they were asked for.
/// Everything belongs to the io_context's thread.

#include "leanbridge/io/condition.hpp"

#include <boost/intrusive/list.hpp>
#include <tl/expected.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace leanbridge::io {

/// Outlives its permits and those who wait for one: whoever uses it keeps its owner alive.
class FairSemaphore {
 public:
  explicit FairSemaphore(std::size_t permits) : free_(permits) {}
  FairSemaphore(const FairSemaphore&) = delete;
  FairSemaphore& operator=(const FairSemaphore&) = delete;

  /// Given back when destroyed.
  class Permit {
   public:
    Permit(Permit&& other) noexcept : semaphore_(std::exchange(other.semaphore_, nullptr)) {}
    Permit& operator=(Permit&&) = delete;
    ~Permit() {
      if (semaphore_) semaphore_->release();
    }

   private:
    friend class FairSemaphore;
    explicit Permit(FairSemaphore& semaphore) : semaphore_(&semaphore) {}
    FairSemaphore* semaphore_;
  };

  /// Suspends until there is a permit; otherwise how the wait ended.
  asio::awaitable<tl::expected<Permit, WaitStatus>> acquire(CancelScope scope);

 private:
  // Leaves the queue with the coroutine that waits, in whatever way that ends.
  struct Waiting : detail::WaitHook {
    Condition given;
    std::optional<Permit> permit;
  };
  void release();

  std::size_t free_;
  boost::intrusive::list<Waiting, boost::intrusive::constant_time_size<false>> waiting_;
};

}  // namespace leanbridge::io
