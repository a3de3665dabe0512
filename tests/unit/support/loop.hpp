#pragma once
/// An io_context that a test drives by hand: until a condition holds, never for a fixed time.

#include "core/io/condition.hpp"
#include <boost/asio/co_spawn.hpp>
#include <catch2/catch.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

namespace leanbridge::test {

/// How long a test may hang before it fails. Nothing waits for this time to pass.
inline constexpr auto kLimit = std::chrono::seconds(120);

/// Runs handlers until `predicate` holds, which may also depend on what the loop does not see, such as other
/// processes. False if that does not happen within `limit`.
template <class Predicate>
bool run_until(asio::io_context& context, Predicate predicate, io::Clock::duration limit = kLimit) {
  constexpr auto kLook = std::chrono::milliseconds(5);
  const auto deadline = io::Clock::now() + limit;
  while (!predicate()) {
    if (io::Clock::now() > deadline) return false;
    context.restart();
    if (context.run_one_for(kLook) == 0 && context.stopped()) std::this_thread::sleep_for(kLook);
  }
  return true;
}

/// A running coroutine, and its value once it has one.
template <class T>
class Running {
 public:
  bool done() const { return state_->value.has_value() || state_->error; }
  T& get() {
    if (state_->error) std::rethrow_exception(state_->error);
    REQUIRE(state_->value.has_value());
    return *state_->value;
  }

 private:
  friend struct Loop;
  struct State {
    std::optional<T> value;
    std::exception_ptr error;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

inline asio::awaitable<std::monostate> as_value(asio::awaitable<void> work) {
  co_await std::move(work);
  co_return std::monostate();
}

struct Loop {
  asio::io_context context{1};

  template <class T>
  Running<T> start(asio::awaitable<T> work) {
    Running<T> running;
    asio::co_spawn(context, keep(std::move(work), running.state_), asio::detached);
    return running;
  }
  Running<std::monostate> start(asio::awaitable<void> work) { return start(as_value(std::move(work))); }

  template <class Predicate>
  bool until(Predicate predicate) {
    return run_until(context, predicate);
  }
  template <class T>
  T& finish(Running<T>& running) {
    REQUIRE(until([&] { return running.done(); }));
    return running.get();
  }
  /// Runs `work` to its end.
  template <class T>
  T run(asio::awaitable<T> work) {
    auto running = start(std::move(work));
    return std::move(finish(running));
  }
  void run(asio::awaitable<void> work) {
    auto running = start(std::move(work));
    finish(running);
  }
  /// Runs everything that can run now.
  void settle() {
    context.restart();
    while (context.poll() > 0) context.restart();
  }

 private:
  // Not by co_spawn's own handler, which would need a default T after an exception.
  template <class T>
  static asio::awaitable<void> keep(asio::awaitable<T> work,
                                    std::shared_ptr<typename Running<T>::State> state) {
    try {
      state->value.emplace(co_await std::move(work));
    } catch (...) {
      state->error = std::current_exception();
    }
  }
};

/// Long enough never to end a test's wait.
inline io::CancelScope patient() {
  return io::CancelScope(std::chrono::hours(1));
}
inline io::CancelScope patient(std::shared_ptr<io::CancelSource> cancel) {
  return io::CancelScope(std::chrono::hours(1), std::move(cancel));
}
/// A scope whose deadline has already passed.
inline io::CancelScope expired() {
  return io::CancelScope(std::chrono::seconds(-1));
}

}  // namespace leanbridge::test
