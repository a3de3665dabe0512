#include "leanbridge/io/turns.hpp"

#include "support/loop.hpp"
#include <catch2/catch.hpp>

#include <vector>

namespace leanbridge::io {

using test::Loop;
using test::patient;
using Taken = tl::expected<Turns::Turn, WaitEnd>;

TEST_CASE("turns are given up to the bound, then in the order asked", "[io]") {
  Loop loop;
  Turns turns(2);
  std::optional<Turns::Turn> first(loop.run(turns.next(patient())).value());
  std::optional<Turns::Turn> second(loop.run(turns.next(patient())).value());
  auto third = loop.start(turns.next(patient()));
  auto fourth = loop.start(turns.next(patient()));
  loop.settle();
  CHECK_FALSE(third.done());
  second.reset();
  const Turns::Turn got = std::move(loop.finish(third).value());
  loop.settle();
  CHECK_FALSE(fourth.done());
  first.reset();
  CHECK(loop.finish(fourth).has_value());
}

TEST_CASE("who comes later does not overtake who waits", "[io]") {
  Loop loop;
  Turns turns(1);
  std::optional<Turns::Turn> first(loop.run(turns.next(patient())).value());
  auto second = loop.start(turns.next(patient()));
  loop.settle();
  first.reset();  // it is the second's, who does not know yet
  auto third = loop.start(turns.next(patient()));
  std::optional<Turns::Turn> got(std::move(loop.finish(second).value()));
  CHECK_FALSE(third.done());
  got.reset();
  CHECK(loop.finish(third).has_value());
}

TEST_CASE("a turn that nobody takes is not lost", "[io]") {
  Loop loop;
  Turns turns(1);
  std::optional<Turns::Turn> first(loop.run(turns.next(patient())).value());
  SECTION("given up while it waits") {
    const auto cancel = std::make_shared<CancelSource>();
    auto second = loop.start(turns.next(patient(cancel)));
    loop.settle();
    cancel->cancel();
    CHECK(loop.finish(second).error() == WaitEnd::Cancelled);
    auto late = loop.run(turns.next(Scope(std::chrono::milliseconds(1))));
    CHECK(late.error() == WaitEnd::TimedOut);
    first.reset();
  }
  SECTION("given, and cancelled before it is known") {
    const auto cancel = std::make_shared<CancelSource>();
    auto second = loop.start(turns.next(patient(cancel)));
    loop.settle();
    first.reset();
    cancel->cancel();
    CHECK(loop.finish(second).has_value());
  }
  CHECK(loop.run(turns.next(patient())).has_value());
}

}  // namespace leanbridge::io
