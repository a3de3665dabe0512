#pragma once
/// A backend with everything around it that makes it dependable: cache, single flight, limits, breaker, one
/// retry, and what is counted of it.

#include "leanbridge/base/latency.hpp"
#include "leanbridge/search/backend.hpp"
#include "leanbridge/search/cache.hpp"
#include "leanbridge/search/circuit_breaker.hpp"
#include "leanbridge/search/single_flight.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace leanbridge::search {

struct SourceOptions {
  RateLimit limit;                                     ///< at the shared address only
  Clock::duration attempt = std::chrono::seconds(10);  ///< how long one request may last
};

/// What a source said, and whether it was asked for it.
template <class T>
struct Answered {
  Outcome<T> value;
  bool cached = false;
  double ms = 0;
};
using Reply = Answered<Found>;

/// Something else that a backend can be asked, as JSON for the cache.
using Request = std::function<asio::awaitable<Outcome<nlohmann::json>>(io::CancelScope)>;

/// For lean_server_health.
struct SourceHealth {
  std::string
      status;  ///< "ok", "degraded" (the last request failed), "down" (left alone), "unused", "disabled"
  std::string disabled_because;
  Breaker::State breaker = Breaker::State::Closed;
  Latency latency;  ///< of requests, retries included
  std::uint64_t answered = 0;
  std::uint64_t cached = 0;
  std::uint64_t refused = 0;  ///< not asked: breaker or limit
  std::map<std::string, std::uint64_t> failures;
  std::optional<std::string> last_error;
};

/// Belongs to the loop's thread. The cache outlives it.
class Source {
 public:
  Source(std::shared_ptr<Backend> backend, SourceOptions options, Cache& cache);

  std::string name() const { return std::string(state_->backend->name()); }
  const std::shared_ptr<Backend>& backend() const { return state_->backend; }
  /// Why it cannot be asked at all.
  std::optional<std::string> disabled_because() const { return state_->backend->disabled_because(); }

  /// The answer, from the cache or from the backend. A scope that ends first gives Timeout or Cancelled; what
  /// is asked then goes on for the cache, unless nobody wants it any more.
  asio::awaitable<Reply> ask(Question question, io::CancelScope scope);
  /// The same for any other request. `key`: what is asked; the backend's identity is added.
  asio::awaitable<Answered<nlohmann::json>> perform(nlohmann::json key, Request request,
                                                    io::CancelScope scope);

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
    SingleFlight<Outcome<nlohmann::json>> flights;
  };

  static std::optional<Problem> refusal(State& state);
  static asio::awaitable<Outcome<nlohmann::json>> request(std::shared_ptr<State> state, Request request,
                                                          std::string key, io::CancelScope scope);
  static asio::awaitable<Outcome<nlohmann::json>> attempt(std::shared_ptr<State> state, Request request,
                                                          io::CancelScope scope);
  static void note(State& state, const Outcome<nlohmann::json>& outcome, double ms);

  std::shared_ptr<State> state_;
};

/// The limits of the services that everybody shares.
RateLimit shared_limit(std::string_view source);

}  // namespace leanbridge::search
