#pragma once
/// Decides whose turn it is among coroutines that wait for the same thing: clients take turns, and the waits
/// of one client come in the order of their arrival. So a client with 64 requests does not keep out one with
/// a single request. Everything belongs to the io_context's thread.

#include "condition.hpp"
#include <boost/intrusive/list.hpp>

#include <cstdint>
#include <map>

namespace leanbridge::io {

/// Must outlive its places: keep its owner alive while you wait.
class TurnQueue {
 public:
  /// A place in the queue. Leaves it by itself when the waiting coroutine ends, however it ends.
  struct Place : detail::WaitHook {
    explicit Place(const CancelScope& scope) : client(scope.cancel->client) {}
    std::uint64_t client;
  };

  void join(Place& place) { waiting_.push_back(place); }
  bool empty() const { return waiting_.empty(); }
  /// The place whose turn it is: the first of the client that was served longest ago, or never while it
  /// waited. Null if the queue is empty.
  Place* first();
  /// Call this when a place has received what it waited for and has left the queue.
  void served(const Place& place);

 private:
  boost::intrusive::list<Place, boost::intrusive::constant_time_size<false>> waiting_;
  std::map<std::uint64_t, std::uint64_t> last_turns_;  // for clients that wait
  std::uint64_t turns_ = 0;
};

}  // namespace leanbridge::io
