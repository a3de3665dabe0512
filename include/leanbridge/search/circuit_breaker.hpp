#pragma once
/// When a source may be asked: what has failed is left alone for a while, and what has a limit is not asked
/// beyond it. Pure state with the time as an argument.

#include "leanbridge/base/enum_names.hpp"
#include "leanbridge/io/condition.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>

namespace leanbridge::search {

using io::Clock;

/// | state | asked | success | failure |
/// |---|---|---|---|
/// | Closed | yes | Closed | after `kTolerated` in a row: Open for 1 s |
/// | Open | no, until its time is over: then HalfOpen | Closed | Open, for twice as long, at most 60 s |
/// | HalfOpen | one probe at a time | Closed | Open, for twice as long, at most 60 s |
/// A Retry-After opens it at once, for at least that long.
class Breaker {
 public:
  enum class State { Closed, Open, HalfOpen };

  /// nullopt: ask now, and tell how it went. Else how long it is not to be asked.
  std::optional<Clock::duration> refuses(Clock::time_point now);
  void succeeded();
  void failed(Clock::time_point now, std::optional<std::chrono::milliseconds> retry_after);
  /// What was let through has ended without saying anything of the source: it was cancelled.
  void forget() { probing_ = false; }

  State state(Clock::time_point now) const;
  /// The last answer was good, or there was none yet.
  bool is_well() const { return failures_ == 0; }

  static constexpr int kTolerated = 3;
  static constexpr Clock::duration kFirstPause = std::chrono::seconds(1);
  static constexpr Clock::duration kLongestPause = std::chrono::seconds(60);
  static constexpr Clock::duration kLongestRetryAfter = std::chrono::minutes(15);  ///< whatever a server says

 private:
  int failures_ = 0;  ///< in a row
  bool open_ = false;
  bool probing_ = false;
  Clock::duration pause_{};
  Clock::time_point until_{};
};
wire::Names<Breaker::State> names_of(Breaker::State);

/// At most `calls` in any `period`.
struct RateLimit {
  std::size_t calls = 0;  ///< 0: none
  Clock::duration period{};
};

class RateLimiter {
 public:
  explicit RateLimiter(RateLimit limit = {}) : limit_(limit) {}
  /// nullopt: counted as a call now. Else how long until the next one.
  std::optional<Clock::duration> refuses(Clock::time_point now);

 private:
  RateLimit limit_;
  std::deque<Clock::time_point> calls_;
};

}  // namespace leanbridge::search
