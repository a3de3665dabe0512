#include "core/io/condition.hpp"

#include "support/loop.hpp"
#include <catch2/catch.hpp>

#include <memory>

namespace leanbridge::io {

using test::expired;
using test::Loop;
using test::patient;

namespace {

/// Something to wait for.
struct Flag {
  bool up = false;
  Condition changed;

  void raise() {
    up = true;
    changed.notify_all();
  }
};

asio::awaitable<WaitStatus> wait_for(Flag& flag, CancelScope scope) {
  co_return co_await wait_until(flag.changed, scope, [&flag] { return flag.up; });
}

}  // namespace

TEST_CASE("what holds already is not waited for", "[io]") {
  Loop loop;
  Flag flag;
  flag.up = true;
  SECTION("in time") {
    CHECK(loop.run(wait_for(flag, patient())) == WaitStatus::Ready);
  }
  SECTION("nor does the deadline matter") {
    CHECK(loop.run(wait_for(flag, expired())) == WaitStatus::Ready);
  }
  SECTION("nor a cancellation") {
    const auto cancel = std::make_shared<CancelSource>();
    cancel->cancel();
    CHECK(loop.run(wait_for(flag, patient(cancel))) == WaitStatus::Ready);
  }
  CHECK_FALSE(flag.changed.has_waiters());
}

TEST_CASE("a wait ends by a notification once the predicate holds", "[io]") {
  Loop loop;
  Flag flag;
  auto wait = loop.start(wait_for(flag, patient()));
  loop.settle();
  CHECK(flag.changed.has_waiters());
  flag.changed.notify_all();  // nothing has changed
  loop.settle();
  CHECK_FALSE(wait.done());
  flag.raise();
  flag.raise();
  loop.settle();
  CHECK(wait.get() == WaitStatus::Ready);
  CHECK_FALSE(flag.changed.has_waiters());
}

TEST_CASE("a wait ends by its deadline", "[io]") {
  Loop loop;
  Flag flag;
  CHECK(loop.run(wait_for(flag, expired())) == WaitStatus::TimedOut);
  CHECK(loop.run(wait_for(flag, CancelScope(std::chrono::milliseconds(1)))) == WaitStatus::TimedOut);
  CHECK_FALSE(flag.changed.has_waiters());
}

TEST_CASE("a wait ends by a cancellation, before or while it waits", "[io]") {
  Loop loop;
  Flag flag;
  const auto cancel = std::make_shared<CancelSource>();
  auto wait = loop.start(wait_for(flag, patient(cancel)));
  auto other = loop.start(wait_for(flag, patient()));
  loop.settle();
  cancel->cancel();
  loop.settle();
  CHECK(wait.get() == WaitStatus::Cancelled);
  CHECK_FALSE(other.done());
  CHECK(loop.run(wait_for(flag, patient(cancel))) == WaitStatus::Cancelled);
  CHECK_FALSE(cancel->changed.has_waiters());
}

TEST_CASE("a part of a call is cancelled with the call, and by itself", "[io]") {
  Loop loop;
  Flag flag;
  auto part = std::make_shared<CancelSource>();
  auto call = std::make_shared<CancelSource>();
  call->client = 7;
  const CancelScope whole(std::chrono::hours(1), call);
  const CancelScope inner = whole.or_cancelled_by(*part);
  CHECK(inner.cancel->client == 7);
  CHECK(inner.deadline == whole.deadline);
  auto of_part = loop.start(wait_for(flag, inner));
  auto of_call = loop.start(wait_for(flag, whole));
  loop.settle();
  SECTION("by itself: the call goes on") {
    part->cancel();
    loop.settle();
    CHECK(of_part.get() == WaitStatus::Cancelled);
    CHECK_FALSE(of_call.done());
    CHECK_FALSE(call->cancelled());
    CHECK(whole.or_cancelled_by(*part).cancel->cancelled());
  }
  SECTION("with the call, and with the call of the call") {
    CancelSource nothing;
    auto innermost = loop.start(wait_for(flag, inner.or_cancelled_by(nothing)));
    loop.settle();
    part.reset();
    call->cancel();
    loop.settle();
    CHECK(of_part.get() == WaitStatus::Cancelled);
    CHECK(innermost.get() == WaitStatus::Cancelled);
    CHECK(of_call.get() == WaitStatus::Cancelled);
    CancelSource other;
    CHECK(whole.or_cancelled_by(other).cancel->cancelled());
  }
  SECTION("one that has ended is told nothing") {
    flag.raise();
    loop.settle();
    CHECK(of_part.get() == WaitStatus::Ready);
    { const CancelScope ended = whole.or_cancelled_by(*part); }
    part->cancel();
    call->cancel();
    CHECK(inner.cancel->cancelled());
  }
}

TEST_CASE("of what happens before a waiter runs again, the best wins", "[io]") {
  Loop loop;
  Flag flag;
  const auto cancel = std::make_shared<CancelSource>();
  SECTION("readiness over a cancellation") {
    auto wait = loop.start(wait_for(flag, patient(cancel)));
    loop.settle();
    cancel->cancel();
    flag.raise();
    loop.settle();
    CHECK(wait.get() == WaitStatus::Ready);
  }
  SECTION("a cancellation over the deadline") {
    cancel->cancel();
    CHECK(loop.run(wait_for(flag, CancelScope(std::chrono::seconds(-1), cancel))) == WaitStatus::Cancelled);
  }
  SECTION("a condition that holds no more was not seen") {
    auto wait = loop.start(wait_for(flag, patient(cancel)));
    loop.settle();
    flag.raise();
    flag.up = false;
    loop.settle();
    CHECK_FALSE(wait.done());
    flag.raise();
    loop.settle();
    CHECK(wait.get() == WaitStatus::Ready);
  }
}

TEST_CASE("a notification wakes every waiter", "[io]") {
  Loop loop;
  Flag flag;
  std::vector<test::Running<WaitStatus>> waits;
  for (int i = 0; i < 1000; ++i) waits.push_back(loop.start(wait_for(flag, patient())));
  loop.settle();
  flag.raise();
  loop.settle();
  for (auto& wait : waits) CHECK(wait.get() == WaitStatus::Ready);
  CHECK_FALSE(flag.changed.has_waiters());
}

TEST_CASE("a waiter may notify when it resumes, and wait again", "[io]") {
  Loop loop;
  struct Counter {
    int value = 0;
    Condition changed;
  } counter;
  // Two coroutines that raise the counter in turn.
  const auto player = [&counter](int parity) -> asio::awaitable<int> {
    for (;;) {
      co_await wait_until(counter.changed, patient(),
                          [&] { return counter.value % 2 == parity || counter.value >= 100; });
      if (counter.value >= 100) co_return counter.value;
      ++counter.value;
      counter.changed.notify_all();
    }
  };
  auto even = loop.start(player(0));
  auto odd = loop.start(player(1));
  CHECK(loop.finish(even) == 100);
  CHECK(loop.finish(odd) == 100);
}

TEST_CASE("a waiter that is destroyed leaves the condition", "[io]") {
  Flag flag;
  {
    Loop loop;
    auto wait = loop.start(wait_for(flag, patient()));
    loop.settle();
    CHECK(flag.changed.has_waiters());
  }
  CHECK_FALSE(flag.changed.has_waiters());
  flag.changed.notify_all();
}

TEST_CASE("a condition may go before its waiters do", "[io]") {
  Loop loop;
  auto condition = std::make_unique<Condition>();
  const auto wait = [&]() -> asio::awaitable<WaitStatus> {
    co_return co_await wait_until(*condition, CancelScope(std::chrono::milliseconds(1)),
                                  [] { return false; });
  };
  auto waiting = loop.start(wait());
  loop.settle();
  condition.reset();
  CHECK(loop.finish(waiting) == WaitStatus::TimedOut);
}

TEST_CASE("sleep_for sleeps, or ends with its scope", "[io]") {
  Loop loop;
  CHECK(loop.run(sleep_for(std::chrono::milliseconds(1), patient())) == WaitStatus::Ready);
  CHECK(loop.run(sleep_for(std::chrono::seconds(0), expired())) == WaitStatus::Ready);
  CHECK(loop.run(sleep_for(std::chrono::hours(1), CancelScope(std::chrono::milliseconds(1)))) ==
        WaitStatus::TimedOut);
  const auto cancel = std::make_shared<CancelSource>();
  auto sleep = loop.start(sleep_for(std::chrono::hours(1), patient(cancel)));
  loop.settle();
  cancel->cancel();
  loop.settle();
  CHECK(sleep.get() == WaitStatus::Cancelled);
}

TEST_CASE("a scope within a scope ends no later and shares its cancellation", "[io]") {
  const CancelScope outer(std::chrono::hours(1));
  CHECK(outer.with_timeout(std::chrono::hours(2)).deadline == outer.deadline);
  CHECK(outer.with_timeout(std::chrono::minutes(1)).deadline < outer.deadline);
  CHECK(outer.with_timeout(std::chrono::minutes(1)).cancel == outer.cancel);
}

}  // namespace leanbridge::io
