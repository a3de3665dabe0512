#pragma once
// Handles SIGINT, SIGTERM and SIGHUP while a command runs.

#include "core/io/asio.hpp"
#include <boost/asio/signal_set.hpp>

#include <functional>

namespace leanbridge::app {

/// The first signal asks the command to end, which may take a while; a second one ends it at once. Both
/// functions are called on the loop's thread.
class Interrupts {
 public:
  Interrupts(asio::io_context& context, std::function<void()> end, std::function<void()> end_at_once);

  /// Whether a signal has come.
  bool heard() const { return heard_; }
  /// Stops listening for signals, so that the loop can run out of work.
  void stop();

 private:
  void wait();

  asio::signal_set signals_;
  std::function<void()> end_, end_at_once_;
  bool heard_ = false;
};

}  // namespace leanbridge::app
