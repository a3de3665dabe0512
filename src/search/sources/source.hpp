#pragma once
/// A backend made reliable by a cache, deduplication of requests, rate limits, a circuit breaker, one retry,
/// and statistics.

#include "backend.hpp"
#include "cache.hpp"
#include "circuit_breaker.hpp"
#include "core/base/json_struct.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace leanbridge::search {

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

/// The health of a source for lean_server_health.
struct SourceHealth {
  HealthStatus status = HealthStatus::Unused;
  Breaker::State breaker = Breaker::State::Closed;
  std::uint64_t answered = 0;
  std::uint64_t cached = 0;
  std::uint64_t refused = 0;                      ///< requests refused by the breaker or the rate limit
  std::map<std::string, std::uint64_t> failures;  ///< by kind
  double mean_ms = 0;                             ///< of requests, including retries
  nlohmann::json histogram_ms;                    ///< Latency::histogram()
  wire::Nullable<std::string> last_error;
  std::optional<std::string> disabled_because;

  static wire::Fields fields() {
    return wire::fields<&SourceHealth::status, &SourceHealth::breaker, &SourceHealth::answered,
                        &SourceHealth::cached, &SourceHealth::refused, &SourceHealth::failures,
                        &SourceHealth::mean_ms, &SourceHealth::histogram_ms, &SourceHealth::last_error,
                        &SourceHealth::disabled_because>();
  }
};

/// Belongs to the loop's thread. The cache must outlive it.
class Source {
 public:
  Source(std::shared_ptr<Backend> backend, SourceOptions options, Cache& cache);

  std::string name() const;
  /// Why its use is impossible.
  std::optional<Problem> disabled_because() const;

  /// Answers from the cache or the backend; concurrent equal requests share one. If the scope ends first,
  /// returns Late or Cancelled; the request then continues for the cache unless all callers were cancelled.
  asio::awaitable<Reply> ask(Question question, io::CancelScope scope) const;
  /// Does the same as ask() for any other request. `key` identifies it; the backend's identity is added.
  asio::awaitable<Reply> perform(nlohmann::json key, Request request, io::CancelScope scope) const;

  SourceHealth health() const;

 private:
  struct State;  ///< shared with requests that outlive the waits for them
  std::shared_ptr<State> state_;
};

double ms_since(Clock::time_point start);

/// The rate limit of a public service.
RateLimit shared_limit(std::string_view source);

}  // namespace leanbridge::search
