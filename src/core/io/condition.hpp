#pragma once
/// The only way to wait in this program: when some state changes, its owner calls Condition::notify_all(),
/// and every coroutine in wait_until() looks at the state again. A notification never carries the answer
/// itself, so a late, early or repeated one is harmless. Everything belongs to the io_context's thread.

#include "asio.hpp"
#include "clock.hpp"
#include "core/base/error.hpp"
#include <boost/intrusive/list.hpp>

#include <cstdint>
#include <functional>
#include <memory>

namespace leanbridge::io {

enum class WaitStatus { Ready, Cancelled, TimedOut };
struct CancelScope;

namespace detail {
using WaitHook = boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;
struct WaitNode : WaitHook {
  Timer* timer = nullptr;
};
}  // namespace detail

/// Notifies coroutines that something may have changed. Waiters leave the list by themselves. If a Condition
/// is destroyed, its waiters wait until their deadlines, so notify them before.
class Condition {
 public:
  void notify_all() {
    for (detail::WaitNode& node : waiting_) node.timer->cancel();
  }
  bool has_waiters() const { return !waiting_.empty(); }

 private:
  friend asio::awaitable<WaitStatus> wait_until(Condition&, CancelScope, std::function<bool()>);
  boost::intrusive::list<detail::WaitNode, boost::intrusive::constant_time_size<false>> waiting_;
};

/// The cancellation of a call, shared by all work for it.
class CancelSource {
 public:
  CancelSource() = default;
  /// The cancellation of a part of a call. It follows the call's and the part's own, both of which may be
  /// destroyed first.
  CancelSource(CancelSource& call, CancelSource& part)
      : client(call.client), cancelled_(call.cancelled_ || part.cancelled_) {
    call.followers_.push_back(follows_call_);
    part.followers_.push_back(follows_part_);
  }

  void cancel() {
    cancelled_ = true;
    changed.notify_all();
    for (Follower& follower : followers_) follower.source->cancel();
  }
  bool cancelled() const { return cancelled_; }

  Condition changed;
  std::uint64_t client = 0;  ///< the client of the call, for TurnQueue; 0: none in particular

 private:
  struct Follower : detail::WaitHook {
    explicit Follower(CancelSource* follower) : source(follower) {}
    CancelSource* source;
  };

  bool cancelled_ = false;
  Follower follows_call_{this}, follows_part_{this};
  boost::intrusive::list<Follower, boost::intrusive::constant_time_size<false>> followers_;
};

/// The deadline of a wait, and the cancellation that can end it early. Every wait has one.
struct CancelScope {
  Clock::time_point deadline;
  std::shared_ptr<CancelSource> cancel;  ///< never null

  explicit CancelScope(Clock::duration limit,
                       std::shared_ptr<CancelSource> source = std::make_shared<CancelSource>())
      : deadline(Clock::now() + limit), cancel(std::move(source)) {}

  /// A scope with the same cancellation that ends no later than `limit` from now.
  CancelScope with_timeout(Clock::duration limit) const {
    CancelScope inner = *this;
    inner.deadline = std::min(deadline, Clock::now() + limit);
    return inner;
  }

  /// A scope with the same deadline that `part` cancels as well.
  CancelScope or_cancelled_by(CancelSource& part) const {
    CancelScope inner = *this;
    inner.cancel = std::make_shared<CancelSource>(*cancel, part);
    return inner;
  }
};

/// Suspends until `predicate()` holds, which is called at once and after every notification of `condition`. A
/// true predicate wins over a cancellation, and a cancellation over the deadline. `condition` and all objects
/// that the predicate uses must outlive the wait: await at once and keep their owner alive.
asio::awaitable<WaitStatus> wait_until(Condition& condition, CancelScope scope,
                                       std::function<bool()> predicate);

/// Suspends for `duration`, or until the scope ends.
asio::awaitable<WaitStatus> sleep_for(Clock::duration duration, CancelScope scope);

}  // namespace leanbridge::io
