#include "core/io/fair_semaphore.hpp"

#include "support/loop.hpp"
#include <catch2/catch.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

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
  first.reset();  // now the second holds it, but does not know yet
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

namespace {

CancelScope on_behalf_of(std::uint64_t client) {
  CancelScope scope = patient();
  scope.cancel->client = client;
  return scope;
}

}  // namespace

TEST_CASE_METHOD(TurnsFixture, "clients take turns, each with its own requests in their order",
                 "[io][turns]") {
  FairSemaphore turns(1);
  Held busy = held(turns);
  constexpr std::uint64_t kHeavy = 1, kLight = 2;
  std::vector<decltype(waiting(turns))> heavy;
  for (int i = 0; i < 4; ++i) heavy.push_back(waiting(turns, on_behalf_of(kHeavy)));
  auto light = waiting(turns, on_behalf_of(kLight));
  auto again = waiting(turns, on_behalf_of(kLight));
  std::string order;
  const auto give = [&](Held& from) {
    from.reset();
    loop.settle();
    for (std::size_t i = 0; i < heavy.size(); ++i)
      if (heavy[i].done() && heavy[i].get().has_value() &&
          order.find(static_cast<char>('a' + i)) == std::string::npos) {
        order += static_cast<char>('a' + i);
        return Held(std::move(*heavy[i].get()));
      }
    auto& next = order.find('1') == std::string::npos ? light : again;
    order += order.find('1') == std::string::npos ? '1' : '2';
    return Held(std::move(loop.finish(next).value()));
  };
  auto now = std::make_unique<Held>(give(busy));
  for (int i = 0; i < 5; ++i) now = std::make_unique<Held>(give(*now));
  CHECK(order == "a1b2cd");
}

TEST_CASE_METHOD(TurnsFixture, "a client that waited is not forgotten, one that left is", "[io][turns]") {
  TurnQueue queue;
  TurnQueue::Place one(on_behalf_of(1)), one_more(on_behalf_of(1)), two(on_behalf_of(2));
  CHECK(queue.first() == nullptr);
  queue.join(one);
  queue.join(one_more);
  queue.join(two);
  CHECK(queue.first() == &one);
  one.unlink();
  queue.served(one);
  CHECK(queue.first() == &two);
  two.unlink();
  queue.served(two);
  CHECK(queue.first() == &one_more);
  TurnQueue::Place two_again(on_behalf_of(2));
  queue.join(two_again);
  CHECK(queue.first() == &two_again);  // nobody else was kept waiting by its last turn
}

}  // namespace leanbridge::io
