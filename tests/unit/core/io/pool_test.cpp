#include "core/io/pool.hpp"

#include "support/loop.hpp"
#include <catch2/catch.hpp>

#include <future>
#include <stdexcept>
#include <thread>

namespace leanbridge::io {

using test::Loop;
using test::patient;

TEST_CASE("work on the pool brings its value back to the loop", "[io]") {
  Loop loop;
  Pool pool;
  const auto here = std::this_thread::get_id();
  const auto work = [here]() -> Result<std::string> {
    return std::this_thread::get_id() == here ? "on the loop" : "elsewhere";
  };
  CHECK(loop.run(pool.run(work, patient())).value() == "elsewhere");
}

TEST_CASE("work on the pool may fail or throw", "[io]") {
  Loop loop;
  Pool pool;
  const auto fails = []() -> Result<int> { return fail(ErrorKind::FileNotFound, "gone"); };
  CHECK(loop.run(pool.run(fails, patient())).error() == Error(ErrorKind::FileNotFound, "gone"));
  const auto throws = []() -> Result<int> { throw std::runtime_error("broken"); };
  CHECK(loop.run(pool.run(throws, patient())).error() == Error(ErrorKind::Internal, "broken"));
}

TEST_CASE("values that can only be moved come back", "[io]") {
  Loop loop;
  Pool pool;
  auto work = [given = std::make_unique<int>(7)]() mutable -> Result<std::unique_ptr<int>> {
    return std::move(given);
  };
  auto result = loop.run(pool.run(std::move(work), patient()));
  REQUIRE(result.has_value());
  CHECK(**result == 7);
}

TEST_CASE("many tasks on few threads all come back", "[io]") {
  Loop loop;
  Pool pool;
  std::vector<test::Running<Result<int>>> running;
  for (int i = 0; i < 200; ++i)
    running.push_back(loop.start(pool.run([i]() -> Result<int> { return i; }, patient())));
  for (int i = 0; i < 200; ++i) CHECK(loop.finish(running[static_cast<std::size_t>(i)]).value() == i);
}

TEST_CASE("a wait that ends early leaves the work to finish unheard", "[io]") {
  Loop loop;
  std::promise<void> go;
  auto finished = std::make_shared<std::atomic<bool>>(false);
  {
    Pool pool;
    const auto work = [wait = go.get_future().share(), finished]() -> Result<int> {
      wait.wait();
      *finished = true;
      return 1;
    };
    const auto cancel = std::make_shared<CancelSource>();
    SECTION("cancelled") {
      auto waiting = loop.start(pool.run(work, patient(cancel)));
      loop.settle();
      cancel->cancel();
      CHECK(loop.finish(waiting).error().kind == ErrorKind::Cancelled);
    }
    SECTION("too late") {
      CHECK(loop.run(pool.run(work, test::expired())).error().kind == ErrorKind::Timeout);
    }
    CHECK_FALSE(*finished);
    go.set_value();
  }  // the pool joins
  CHECK(*finished);
  loop.settle();  // nobody is left to receive the posted value
}

TEST_CASE("work may outlive the wait's coroutine and the loop's last turn", "[io]") {
  std::promise<void> go;
  auto loop = std::make_unique<Loop>();
  auto pool = std::make_unique<Pool>();
  const auto work = [wait = go.get_future().share()]() -> Result<int> {
    wait.wait();
    return 1;
  };
  auto waiting = loop->start(pool->run(work, patient()));
  loop->settle();
  go.set_value();
  pool.reset();  // as in app/serve.cpp: the pool goes before the context
  loop.reset();
  CHECK_FALSE(waiting.done());
}

}  // namespace leanbridge::io
