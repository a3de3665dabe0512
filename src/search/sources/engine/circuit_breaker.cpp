#include "search/sources/circuit_breaker.hpp"

#include <algorithm>

namespace leanbridge::search {

std::optional<Clock::duration> Breaker::refuses(Clock::time_point now) {
  if (!open_) return std::nullopt;
  if (now < until_) return until_ - now;
  if (probing_) return kFirstPause;  // the result of the probe will decide
  probing_ = true;
  return std::nullopt;
}

void Breaker::succeeded() {
  failures_ = 0;
  open_ = probing_ = false;
  pause_ = {};
}

void Breaker::failed(Clock::time_point now, std::optional<std::chrono::milliseconds> retry_after) {
  ++failures_;
  probing_ = false;
  if (failures_ < kMaxFailures && !open_ && !retry_after) return;
  pause_ = open_ ? std::min(pause_ * 2, kMaxPause) : kFirstPause;
  const Clock::duration asked =
      retry_after ? std::min<Clock::duration>(*retry_after, kMaxRetryAfter) : Clock::duration{};
  open_ = true;
  until_ = std::max(until_, now + std::max(pause_, asked));
}

Breaker::State Breaker::state(Clock::time_point now) const {
  if (!open_) return State::Closed;
  return now < until_ ? State::Open : State::HalfOpen;
}

wire::Names<Breaker::State> names_of(Breaker::State) {
  return {{Breaker::State::Closed, "closed"},
          {Breaker::State::Open, "open"},
          {Breaker::State::HalfOpen, "half_open"}};
}

std::optional<Clock::duration> RateLimiter::refuses(Clock::time_point now) {
  if (limit_.calls == 0) return std::nullopt;
  while (!calls_.empty() && now - calls_.front() >= limit_.period) calls_.pop_front();
  if (calls_.size() >= limit_.calls) return calls_.front() + limit_.period - now;
  calls_.push_back(now);
  return std::nullopt;
}

}  // namespace leanbridge::search
