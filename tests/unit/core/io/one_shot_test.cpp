#include "core/io/one_shot.hpp"

#include "support/loop.hpp"
#include <catch2/catch.hpp>

#include <memory>
#include <string>

namespace leanbridge::io {

using test::expired;
using test::Loop;
using test::patient;

TEST_CASE("every waiter of a one-shot gets its value", "[io]") {
  Loop loop;
  OneShot<std::string> answer;
  auto first = loop.start(answer.wait(patient()));
  auto second = loop.start(answer.wait(patient()));
  loop.settle();
  CHECK_FALSE(first.done());
  CHECK_FALSE(answer.has_value());
  answer.set("yes");
  CHECK(loop.finish(first) == WaitStatus::Ready);
  CHECK(loop.finish(second) == WaitStatus::Ready);
  CHECK(answer.value() == "yes");
}

TEST_CASE("a value that is there already wins over the end of the scope", "[io]") {
  Loop loop;
  OneShot<int> answer;
  answer.set(42);
  const auto cancel = std::make_shared<CancelSource>();
  cancel->cancel();
  CHECK(loop.run(answer.wait(patient(cancel))) == WaitStatus::Ready);
  CHECK(loop.run(answer.wait(expired())) == WaitStatus::Ready);
  CHECK(answer.value() == 42);
}

TEST_CASE("a waiter that leaves early does not disturb the others", "[io]") {
  Loop loop;
  OneShot<std::unique_ptr<int>> answer;
  const auto cancel = std::make_shared<CancelSource>();
  auto leaving = loop.start(answer.wait(patient(cancel)));
  auto staying = loop.start(answer.wait(patient()));
  loop.settle();
  CHECK(loop.run(answer.wait(expired())) == WaitStatus::TimedOut);
  cancel->cancel();
  CHECK(loop.finish(leaving) == WaitStatus::Cancelled);
  CHECK_FALSE(staying.done());
  answer.set(std::make_unique<int>(7));
  CHECK(loop.finish(staying) == WaitStatus::Ready);
  CHECK(*answer.take() == 7);
}

}  // namespace leanbridge::io
