#pragma once
/// A backend with what makes it reliable: cache, request deduplication, rate limits, circuit breaker, one
/// retry, and statistics.

#include "leanbridge/base/latency.hpp"
#include "leanbridge/io/one_shot.hpp"
#include "leanbridge/search/backend.hpp"
#include "leanbridge/search/cache.hpp"
#include "leanbridge/search/circuit_breaker.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace leanbridge::search {

/// Runs concurrent requests with the same key only once. Belongs to the loop's thread.
template <class Value>
class SingleFlight {
 public:
  using Work = std::function<asio::awaitable<Value>(io::CancelScope)>;

  /// Waits for the value of this key: joins the work under way or starts `work`, which may take `limit`. A
  /// wait that times out leaves the work running, for the cache; the work is cancelled when all waits for it
  /// were cancelled. nullopt: this wait ended first. `work` must not throw.
  asio::awaitable<std::optional<Value>> join(std::string key, Work work, io::Clock::duration limit,
                                             io::CancelScope scope) {
    auto& slot = (*flights_)[key];
    const bool first = !slot;
    if (first) slot = std::make_shared<Flight>(limit);
    const std::shared_ptr<Flight> flight = slot;
    if (first) io::spawn(co_await asio::this_coro::executor, fly(flights_, key, flight, std::move(work)));
    ++flight->waiting;
    const io::WaitStatus end = co_await flight->result.wait(scope);
    --flight->waiting;
    if (end == io::WaitStatus::Ready) co_return flight->result.value();
    if (end == io::WaitStatus::Cancelled && flight->waiting == 0 && !flight->kept) {
      // Later callers start anew instead of joining what is being cancelled.
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
    bool kept = false;  ///< a wait timed out: do not cancel the work
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

struct SourceOptions {
  RateLimit limit;                                     ///< for public services only
  Clock::duration attempt = std::chrono::seconds(10);  ///< timeout of one request
};

/// The answer of a source.
struct Reply {
  Outcome<Found> value;
  bool cached = false;
  double ms = 0;
};

/// Another request to a backend.
using Request = std::function<asio::awaitable<Outcome<Found>>(io::CancelScope)>;

enum class HealthStatus {
  Ok,
  Degraded,  ///< the last request failed
  Down,      ///< the breaker is open
  Unused,
  Disabled,
};
wire::Names<HealthStatus> names_of(HealthStatus);

/// For lean_server_health.
struct SourceHealth {
  HealthStatus status = HealthStatus::Unused;
  std::string disabled_because;
  Breaker::State breaker = Breaker::State::Closed;
  Latency latency;  ///< of requests, including retries
  std::uint64_t answered = 0;
  std::uint64_t cached = 0;
  std::uint64_t refused = 0;  ///< by breaker or rate limit
  std::map<std::string, std::uint64_t> failures;
  std::optional<std::string> last_error;
};

/// Belongs to the loop's thread. The cache must outlive it.
class Source {
 public:
  Source(std::shared_ptr<Backend> backend, SourceOptions options, Cache& cache);

  std::string name() const { return std::string(state_->backend->name()); }
  const std::shared_ptr<Backend>& backend() const { return state_->backend; }
  /// Why it cannot be used at all.
  std::optional<Problem> disabled_because() const { return state_->backend->disabled_because(); }

  /// Answers from the cache or the backend. If the scope ends first, returns Late or Cancelled; the request
  /// then continues for the cache unless all callers were cancelled.
  asio::awaitable<Reply> ask(Question question, io::CancelScope scope) const;
  /// The same for any other request. `key` identifies it; the backend's identity is added.
  asio::awaitable<Reply> perform(nlohmann::json key, Request request, io::CancelScope scope) const;

  SourceHealth health() const;

 private:
  // Shared with requests that outlive the wait for them.
  struct State {
    State(std::shared_ptr<Backend> asked, SourceOptions settings, Cache& kept)
        : backend(std::move(asked)), options(settings), cache(kept), limiter(settings.limit) {}
    std::shared_ptr<Backend> backend;
    SourceOptions options;
    Cache& cache;
    Breaker breaker;
    RateLimiter limiter;
    SourceHealth health;
    SingleFlight<Outcome<Found>> flights;
  };

  static std::optional<Problem> refusal(State& state);
  static asio::awaitable<Outcome<Found>> request(std::shared_ptr<State> state, Request request,
                                                 std::string key, io::CancelScope scope);
  static asio::awaitable<Outcome<Found>> attempt(std::shared_ptr<State> state, Request request,
                                                 io::CancelScope scope);
  static void note(State& state, const Outcome<Found>& outcome, double ms);

  std::shared_ptr<State> state_;
};

double ms_since(Clock::time_point start);

/// The rate limit of a public service.
RateLimit shared_limit(std::string_view source);

}  // namespace leanbridge::search
