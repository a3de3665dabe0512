#pragma once
/// Limits how many coroutines do something at once. Permits are granted in the order of the requests, with
/// clients taking turns (TurnQueue). Everything belongs to the io_context's thread.

#include "turn_queue.hpp"
#include <tl/expected.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace leanbridge::io {

/// Must outlive its permits and waiters: keep its owner alive while you use it.
class FairSemaphore {
 public:
  explicit FairSemaphore(std::size_t permits) : free_(permits) {}
  FairSemaphore(const FairSemaphore&) = delete;
  FairSemaphore& operator=(const FairSemaphore&) = delete;

  /// The right to proceed. Destroying it gives it back.
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

  /// Suspends until a permit is free. The error says how the wait ended instead.
  asio::awaitable<tl::expected<Permit, WaitStatus>> acquire(CancelScope scope);

 private:
  struct Waiting : TurnQueue::Place {
    using Place::Place;
    Condition given;
    std::optional<Permit> permit;
  };
  void release();

  std::size_t free_;
  TurnQueue waiting_;
};

}  // namespace leanbridge::io
