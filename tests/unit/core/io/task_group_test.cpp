#include "core/io/task_group.hpp"

#include "support/loop.hpp"
#include <catch2/catch.hpp>

#include <memory>
#include <stdexcept>

namespace leanbridge::io {

using test::expired;
using test::Loop;
using test::patient;

namespace {

struct Gate {
  bool open = false;
  Condition changed;

  void release() {
    open = true;
    changed.notify_all();
  }
};

asio::awaitable<void> pass(std::shared_ptr<Gate> gate) {
  co_await wait_until(gate->changed, patient(), [gate] { return gate->open; });
}

asio::awaitable<void> fail_at(std::shared_ptr<Gate> gate) {
  co_await pass(gate);
  throw std::runtime_error("a task that fails");
}

}  // namespace

TEST_CASE("a task group waits for the last of its tasks", "[io]") {
  Loop loop;
  TaskGroup tasks;
  CHECK(loop.run(tasks.wait(expired())) == WaitStatus::Ready);
  const auto first = std::make_shared<Gate>(), second = std::make_shared<Gate>();
  tasks.start(loop.context.get_executor(), pass(first));
  tasks.start(loop.context.get_executor(), pass(second));
  auto all = loop.start(tasks.wait(patient()));
  loop.settle();
  CHECK(tasks.running() == 2);
  second->release();
  loop.settle();
  CHECK(tasks.running() == 1);
  CHECK_FALSE(all.done());
  first->release();
  CHECK(loop.finish(all) == WaitStatus::Ready);
  CHECK(tasks.running() == 0);
}

TEST_CASE("a task that throws counts as ended", "[io]") {
  Loop loop;
  TaskGroup tasks;
  const auto gate = std::make_shared<Gate>();
  tasks.start(loop.context.get_executor(), fail_at(gate));
  auto all = loop.start(tasks.wait(patient()));
  loop.settle();
  CHECK_FALSE(all.done());
  gate->release();
  CHECK(loop.finish(all) == WaitStatus::Ready);
}

TEST_CASE("a wait that ends early leaves the tasks running, and so does the end of the group", "[io]") {
  Loop loop;
  const auto gate = std::make_shared<Gate>();
  {
    TaskGroup tasks;
    tasks.start(loop.context.get_executor(), pass(gate));
    const auto cancel = std::make_shared<CancelSource>();
    auto wait = loop.start(tasks.wait(patient(cancel)));
    loop.settle();
    CHECK(loop.run(tasks.wait(expired())) == WaitStatus::TimedOut);
    cancel->cancel();
    CHECK(loop.finish(wait) == WaitStatus::Cancelled);
    CHECK(tasks.running() == 1);
  }
  CHECK(gate->changed.has_waiters());
  gate->release();
  loop.settle();
  CHECK_FALSE(gate->changed.has_waiters());
}

}  // namespace leanbridge::io
