// The end of commands and servers, by signals and by themselves.
#include "core/program/interrupts.hpp"

#include <catch2/catch.hpp>
#include <signal.h>

#include <stdexcept>

namespace leanbridge::app {

namespace {

asio::awaitable<int> seven() {
  co_return 7;
}

// Waits for its cancellation, or for good.
asio::awaitable<int> waiting(std::shared_ptr<io::CancelSource> cancel, int* signals) {
  const io::CancelScope scope(io::kNoDeadline, cancel);
  if (signals && --*signals >= 0) ::raise(SIGTERM);
  co_await io::sleep_for(std::chrono::hours(1), scope);
  if (signals && --*signals >= 0) {
    ::raise(SIGTERM);
    co_await io::sleep_for(std::chrono::hours(1), io::CancelScope(io::kNoDeadline));
  }
  co_return 7;
}

asio::awaitable<void> throwing() {
  throw std::runtime_error("no");
  co_return;
}

}  // namespace

TEST_CASE("work that runs to its end gives its value") {
  asio::io_context context{1};
  CHECK(run_work(context, seven(), nullptr) == 7);
}

TEST_CASE("the first signal cancels work, the second one ends it") {
  int signals = GENERATE(1, 2);
  const bool is_killed = signals == 2;
  asio::io_context context{1};
  int kills = 0;
  const auto cancel = std::make_shared<io::CancelSource>();
  CHECK_FALSE(run_work(context, waiting(cancel, &signals), cancel, [&] { ++kills; }));
  CHECK(cancel->cancelled());
  CHECK((kills == 1) == is_killed);
}

TEST_CASE("without cancellation the first signal ends work") {
  asio::io_context context{1};
  int kills = 0, signals = 1;
  const auto never = std::make_shared<io::CancelSource>();
  CHECK_FALSE(run_work(context, waiting(never, &signals), nullptr, [&] { ++kills; }));
  CHECK(kills == 1);
}

TEST_CASE("what work throws does not leave its loop running") {
  asio::io_context context{1};
  CHECK_THROWS_AS(run_work(context, throwing(), nullptr), std::runtime_error);
}

TEST_CASE("a server that drains for another reason ends at once with its first signal") {
  sigset_t before;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
  asio::io_context context{1};
  int asked = 0, killed = 0;
  {
    Interrupts interrupts(
        context, [&](const std::string&) { ++asked; },
        [&] {
          ++killed;
          context.stop();
        });
    const auto drained = []() -> asio::awaitable<void> {
      ::raise(SIGHUP);
      co_await io::sleep_for(std::chrono::hours(1), io::CancelScope(io::kNoDeadline));
    };
    interrupts.drain(drained());
    CHECK(interrupts.draining());
    interrupts.serve();
  }
  CHECK(asked == 0);
  CHECK(killed == 1);
  // The signal that a host sends after this one does not interrupt the teardown.
  sigset_t held;
  ::pthread_sigmask(SIG_SETMASK, &before, &held);
  CHECK(::sigismember(&held, SIGTERM) == 1);
  CHECK(::sigismember(&held, SIGINT) == 0);
}

TEST_CASE("a server drains after a signal, and then its loop stops") {
  sigset_t before;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
  asio::io_context context{1};
  std::string told;
  bool is_drained = false;
  std::optional<Interrupts> interrupts;
  interrupts.emplace(
      context,
      [&](const std::string& why) {
        told = why;
        const auto drained = [](bool& done) -> asio::awaitable<void> {
          done = true;
          co_return;
        };
        interrupts->drain(drained(is_drained));
      },
      [] { FAIL("no second signal came"); });
  asio::post(context, [] { ::raise(SIGTERM); });
  interrupts->serve();
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  CHECK(told == "signal " + std::to_string(SIGTERM));
  CHECK(is_drained);
}

}  // namespace leanbridge::app
