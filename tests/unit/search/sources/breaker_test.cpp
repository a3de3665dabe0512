#include "search/sources/circuit_breaker.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::search {

using namespace std::chrono_literals;
using State = Breaker::State;

namespace {

const Clock::time_point kStart{};

Breaker opened(Clock::time_point now) {
  Breaker breaker;
  for (int i = 0; i < Breaker::kMaxFailures; ++i) {
    CHECK_FALSE(breaker.refuses(now));
    breaker.failed(now, std::nullopt);
  }
  return breaker;
}

}  // namespace

TEST_CASE("a few failures are tolerated, a success forgets them", "[search]") {
  Breaker breaker;
  for (int round = 0; round < 5; ++round) {
    for (int i = 1; i < Breaker::kMaxFailures; ++i) breaker.failed(kStart, std::nullopt);
    CHECK(breaker.state(kStart) == State::Closed);
    breaker.succeeded();
  }
}

TEST_CASE("a pause of one second, then one probe", "[search]") {
  Breaker breaker = opened(kStart);
  CHECK(breaker.refuses(kStart + 400ms) == 600ms);
  CHECK(breaker.state(kStart + 1s) == State::HalfOpen);
  CHECK_FALSE(breaker.refuses(kStart + 1s));
  CHECK(breaker.refuses(kStart + 1s));  // the probe is under way
  SECTION("that succeeds") {
    breaker.succeeded();
    CHECK_FALSE(breaker.refuses(kStart + 1s));
    CHECK(breaker.state(kStart + 1s) == State::Closed);
  }
  SECTION("that was cancelled: another may try") {
    breaker.forget();
    CHECK_FALSE(breaker.refuses(kStart + 1s));
  }
}

TEST_CASE("pauses double up to a minute", "[search]") {
  Breaker breaker = opened(kStart);
  Clock::time_point now = kStart;
  for (const auto pause : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
    CHECK(breaker.refuses(now) == Clock::duration(pause));
    now += pause;
    CHECK_FALSE(breaker.refuses(now));
    breaker.failed(now, std::nullopt);
  }
  CHECK_FALSE(breaker.refuses(now + 60s));
  breaker.succeeded();
  breaker = opened(now);
  CHECK(breaker.refuses(now) == Clock::duration(1s));
}

TEST_CASE("Retry-After is obeyed at once, within reason", "[search]") {
  Breaker breaker;
  breaker.failed(kStart, 5000ms);
  CHECK(breaker.refuses(kStart) == Clock::duration(5s));
  CHECK_FALSE(breaker.refuses(kStart + 5s));
  breaker.failed(kStart + 5s, std::chrono::hours(24 * 365));
  CHECK(breaker.refuses(kStart + 5s) == Breaker::kMaxRetryAfter);
}

TEST_CASE("a rate limit slides", "[search]") {
  RateLimiter limiter({3, 30s});
  CHECK_FALSE(limiter.refuses(kStart));
  CHECK_FALSE(limiter.refuses(kStart + 10s));
  CHECK_FALSE(limiter.refuses(kStart + 20s));
  CHECK(limiter.refuses(kStart + 25s) == Clock::duration(5s));
  CHECK_FALSE(limiter.refuses(kStart + 30s));
  CHECK(limiter.refuses(kStart + 30s) == Clock::duration(10s));
  RateLimiter none;
  for (int i = 0; i < 1000; ++i) CHECK_FALSE(none.refuses(kStart));
}

}  // namespace leanbridge::search
