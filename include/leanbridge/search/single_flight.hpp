#pragma once
/// Equal questions at the same time are asked once.

#include "leanbridge/io/one_shot.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace leanbridge::search {

/// Belongs to the loop's thread.
template <class Value>
class SingleFlight {
 public:
  using Work = std::function<asio::awaitable<Value>(io::CancelScope)>;

  /// The value of `work` under this key: that of the one under way, else of a new one, which may last
  /// `limit`. The work outlives a wait that is too short, for the sake of the cache; it is cancelled when all
  /// who wait for it were. nullopt: this wait has ended before. `work` must not throw.
  asio::awaitable<std::optional<Value>> join(std::string key, Work work, io::Clock::duration limit,
                                             io::CancelScope scope) {
    auto& slot = (*flights_)[key];
    const bool first = !slot;
    if (first) slot = std::make_shared<Flight>(limit);
    const std::shared_ptr<Flight> flight = slot;
    if (first)
      asio::co_spawn(co_await asio::this_coro::executor, fly(flights_, key, flight, std::move(work)),
                     asio::detached);
    ++flight->waiting;
    const io::WaitStatus end = co_await flight->result.wait(scope);
    --flight->waiting;
    if (end == io::WaitStatus::Ready) co_return flight->result.value();
    if (end == io::WaitStatus::Cancelled && flight->waiting == 0 && !flight->kept) {
      // Who comes now begins anew rather than joining what is being cancelled.
      if (const auto own = flights_->find(key); own != flights_->end() && own->second == flight)
        flights_->erase(own);
      flight->scope.cancel->cancel();
    }
    if (end == io::WaitStatus::TimedOut) flight->kept = true;
    co_return std::nullopt;
  }

  std::size_t under_way() const { return flights_->size(); }

 private:
  struct Flight {
    explicit Flight(io::Clock::duration limit) : scope(limit) {}
    io::CancelScope scope;
    io::OneShot<Value> result;
    std::size_t waiting = 0;
    bool kept = false;  ///< somebody would have liked the value: it goes on without them
  };
  using Flights = std::map<std::string, std::shared_ptr<Flight>>;

  static asio::awaitable<void> fly(std::shared_ptr<Flights> flights, std::string key,
                                   std::shared_ptr<Flight> flight, Work work) {
    flight->result.set(co_await work(flight->scope));
    if (const auto own = flights->find(key); own != flights->end() && own->second == flight)
      flights->erase(own);
  }

  std::shared_ptr<Flights> flights_ = std::make_shared<Flights>();
};

}  // namespace leanbridge::search
