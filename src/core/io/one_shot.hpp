#pragma once
/// A value that arrives once, and the coroutines that wait for it, such as an answer to a request, or the
/// result of work that outlives its callers. Everything belongs to the io_context's thread.

#include "condition.hpp"

#include <cassert>
#include <optional>
#include <utility>

namespace leanbridge::io {

/// Share it (std::shared_ptr) between the setter of the value and the coroutines that wait: a waiter may
/// leave before the value arrives. A setter that goes away without a value leaves its waiters to their
/// deadlines.
template <class T>
class OneShot {
 public:
  OneShot() = default;
  OneShot(const OneShot&) = delete;
  OneShot& operator=(const OneShot&) = delete;

  /// Stores the value and wakes every waiter. Call at most once.
  void set(T value) {
    assert(!value_);
    value_.emplace(std::move(value));
    arrived_.notify_all();
  }

  /// Suspends until the value is there. Ready means that value() and take() may be called; a value wins over
  /// a cancellation and the deadline. Await at once, and keep this object alive meanwhile.
  asio::awaitable<WaitStatus> wait(CancelScope scope) {
    return wait_until(arrived_, std::move(scope), [this] { return value_.has_value(); });
  }

  bool has_value() const { return value_.has_value(); }
  /// Requires has_value().
  T& value() { return *value_; }
  /// Moves the value out, for a single waiter. Requires has_value(), which stays true.
  T take() { return std::move(*value_); }

 private:
  std::optional<T> value_;
  Condition arrived_;
};

}  // namespace leanbridge::io
