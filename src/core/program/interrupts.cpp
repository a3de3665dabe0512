#include "interrupts.hpp"

#include <signal.h>

#include <utility>

namespace leanbridge::app {

Interrupts::Interrupts(asio::io_context& context, std::function<void()> end,
                       std::function<void()> end_at_once)
    : signals_(context, SIGINT, SIGTERM, SIGHUP), end_(std::move(end)), end_at_once_(std::move(end_at_once)) {
  wait();
}

void Interrupts::stop() {
  signals_.cancel();
}

void Interrupts::wait() {
  signals_.async_wait([this](boost::system::error_code error, int) {
    if (error) return;
    if (std::exchange(heard_, true)) return end_at_once_();
    wait();
    end_();
  });
}

}  // namespace leanbridge::app
