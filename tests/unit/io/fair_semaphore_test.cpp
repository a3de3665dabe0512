#include "leanbridge/io/fair_semaphore.hpp"

#include "support/loop.hpp"
#include <catch2/catch.hpp>

#include <memory>
#include <optional>

namespace leanbridge::io {

using test::Loop;
using test::patient;
using Held = std::optional<FairSemaphore::Permit>;

namespace {

struct TurnsFixture {
  Loop loop;
  Held held(FairSemaphore& turns) { return Held(std::move(loop.run(turns.acquire(patient())).value())); }
  auto waiting(FairSemaphore& turns, CancelScope scope = patient()) {
    auto wait = loop.start(turns.acquire(std::move(scope)));
    loop.settle();
    return wait;
  }
};

}  // namespace

TEST_CASE_METHOD(TurnsFixture, "turns are given up to the bound, then in the order asked", "[io]") {
  FairSemaphore turns(2);
  Held first = held(turns);
  Held second = held(turns);
  auto third = waiting(turns);
  auto fourth = waiting(turns);
  CHECK_FALSE(third.done());
  second.reset();
  const FairSemaphore::Permit got = std::move(loop.finish(third).value());
  loop.settle();
  CHECK_FALSE(fourth.done());
  first.reset();
  CHECK(loop.finish(fourth).has_value());
}

TEST_CASE_METHOD(TurnsFixture, "who comes later does not overtake who waits", "[io]") {
  FairSemaphore turns(1);
  Held first = held(turns);
  auto second = waiting(turns);
  first.reset();  // it is the second's, who does not know yet
  auto third = waiting(turns);
  Held got(std::move(loop.finish(second).value()));
  CHECK_FALSE(third.done());
  got.reset();
  CHECK(loop.finish(third).has_value());
}

TEST_CASE_METHOD(TurnsFixture, "a turn that nobody takes is not lost", "[io]") {
  FairSemaphore turns(1);
  Held first = held(turns);
  const auto cancel = std::make_shared<CancelSource>();
  auto second = waiting(turns, patient(cancel));
  SECTION("given up while it waits") {
    cancel->cancel();
    CHECK(loop.finish(second).error() == WaitStatus::Cancelled);
    auto late = loop.run(turns.acquire(CancelScope(std::chrono::milliseconds(1))));
    CHECK(late.error() == WaitStatus::TimedOut);
    first.reset();
  }
  SECTION("given, and cancelled before it is known") {
    first.reset();
    cancel->cancel();
    CHECK(loop.finish(second).has_value());
    const Held taken(std::move(loop.finish(second).value()));
  }
  CHECK(loop.run(turns.acquire(patient())).has_value());
}

}  // namespace leanbridge::io
