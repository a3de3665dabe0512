#pragma once
/// A bound on how many do something at once. Turns are given in the order in which they were asked for.
/// Everything belongs to the io_context's thread.

#include "leanbridge/io/condition.hpp"

#include <boost/intrusive/list.hpp>
#include <tl/expected.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace leanbridge::io {

/// Outlives its turns and those who wait for one: whoever uses it keeps its owner alive.
class Turns {
 public:
  explicit Turns(std::size_t at_once) : free_(at_once) {}
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  /// Given back when destroyed.
  class Turn {
   public:
    Turn(Turn&& other) noexcept : turns_(std::exchange(other.turns_, nullptr)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn() {
      if (turns_) turns_->give_back();
    }

   private:
    friend class Turns;
    explicit Turn(Turns& turns) : turns_(&turns) {}
    Turns* turns_;
  };

  /// Suspends until it is the caller's turn; otherwise how the wait ended.
  asio::awaitable<tl::expected<Turn, WaitEnd>> next(Scope scope);

 private:
  // Leaves the queue with the coroutine that waits, in whatever way that ends.
  struct Waiting : detail::WaitHook {
    Condition given;
    std::optional<Turn> turn;
  };
  void give_back();

  std::size_t free_;
  boost::intrusive::list<Waiting, boost::intrusive::constant_time_size<false>> waiting_;
};

}  // namespace leanbridge::io
