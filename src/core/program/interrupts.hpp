#pragma once
/// SIGINT, SIGTERM and SIGHUP while the program runs: for a command, which runs one coroutine to its end, and
/// for a server, which drains first. On the loop's thread.

#include "core/io/asio.hpp"
#include "core/io/condition.hpp"
#include <boost/asio/signal_set.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace leanbridge::app {

/// The first signal asks for the end, which may take a while; the next one ends it at once.
class Interrupts {
 public:
  /// `end` is told why: "signal 15". `end_at_once` need not stop the loop.
  Interrupts(asio::io_context& context, std::function<void(const std::string& why)> end,
             std::function<void()> end_at_once);

  /// The first signal that has come; 0: none.
  int heard() const { return heard_; }

  /// Runs the loop of a server until it has drained. From then on only SIGINT can end the process: a host
  /// that sends SIGTERM 100 ms after SIGINT would otherwise hit it in the middle of its teardown.
  void serve();
  /// Begins the end of a server, for a signal or for any other reason: the loop stops when `last` has ended,
  /// and a signal meanwhile ends it at once.
  void drain(asio::awaitable<void> last);
  bool draining() const { return draining_; }

 private:
  void wait();

  asio::io_context& context_;
  asio::signal_set signals_;
  std::function<void(const std::string&)> end_;
  std::function<void()> end_at_once_;
  int heard_ = 0;
  bool draining_ = false;
};

/// Runs the loop until `work` has ended; throws what it throws. The first signal cancels it, the second one
/// calls `kill` and ends the loop; without `cancel` the first one does. False after a signal.
bool run_work(asio::io_context& context, asio::awaitable<void> work, std::shared_ptr<io::CancelSource> cancel,
              std::function<void()> kill = nullptr);

/// The same for work that has a value; nullopt after a signal.
template <class Value>
std::optional<Value> run_work(asio::io_context& context, asio::awaitable<Value> work,
                              std::shared_ptr<io::CancelSource> cancel,
                              std::function<void()> kill = nullptr) {
  const auto value = std::make_shared<std::optional<Value>>();  // an abandoned coroutine may keep it
  const auto keep = [](asio::awaitable<Value> valued,
                       std::shared_ptr<std::optional<Value>> kept) -> asio::awaitable<void> {
    kept->emplace(co_await std::move(valued));
  };
  if (!run_work(context, keep(std::move(work), value), std::move(cancel), std::move(kill)))
    return std::nullopt;
  return std::move(*value);
}

}  // namespace leanbridge::app
