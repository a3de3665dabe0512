#pragma once
/// Decides when a source may be asked: pauses failing sources and enforces rate limits. Pure state; the time
/// is an argument.

#include "core/base/enum_names.hpp"
#include "core/io/condition.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>

namespace leanbridge::search {

using io::Clock;

/// | state | asked | success | failure |
/// |---|---|---|---|
/// | Closed | yes | Closed | after `kMaxFailures` in a row: Open for 1 s |
/// | Open | no, until its time is over: then HalfOpen | Closed | Open, for twice as long, at most 60 s |
/// | HalfOpen | one probe at a time | Closed | Open, for twice as long, at most 60 s |
/// A Retry-After opens it at once, for at least that long.
class Breaker {
 public:
  enum class State { Closed, Open, HalfOpen };

  /// nullopt: ask now, and report the outcome. Otherwise the time to wait.
  std::optional<Clock::duration> refuses(Clock::time_point now);
  void succeeded();
  void failed(Clock::time_point now, std::optional<std::chrono::milliseconds> retry_after);
  /// Call this if the request was cancelled, so that it tells nothing about the source.
  void forget() { probing_ = false; }

  State state(Clock::time_point now) const;
  /// Whether the last request succeeded, or there was none yet.
  bool is_well() const { return failures_ == 0; }

  static constexpr int kMaxFailures = 3;
  static constexpr Clock::duration kFirstPause = std::chrono::seconds(1);
  static constexpr Clock::duration kMaxPause = std::chrono::seconds(60);
  static constexpr Clock::duration kMaxRetryAfter = std::chrono::minutes(15);  ///< upper bound

 private:
  int failures_ = 0;  ///< in a row
  bool open_ = false;
  bool probing_ = false;
  Clock::duration pause_{};
  Clock::time_point until_{};
};
wire::Names<Breaker::State> names_of(Breaker::State);

/// At most `calls` requests in any `period`.
struct RateLimit {
  std::size_t calls = 0;  ///< 0: no limit
  Clock::duration period{};
};

class RateLimiter {
 public:
  explicit RateLimiter(RateLimit limit = {}) : limit_(limit) {}
  /// nullopt: the call is allowed, and counted. Otherwise the time to wait.
  std::optional<Clock::duration> refuses(Clock::time_point now);

 private:
  RateLimit limit_;
  std::deque<Clock::time_point> calls_;
};

}  // namespace leanbridge::search
