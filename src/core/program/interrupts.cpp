#include "interrupts.hpp"

#include "core/terminal/terminal.hpp"
#include <signal.h>

#include <cstdio>
#include <exception>

namespace leanbridge::app {

namespace {

asio::awaitable<void> then_stop(asio::io_context& context, asio::awaitable<void> last) {
  co_await std::move(last);
  context.stop();
}

}  // namespace

Interrupts::Interrupts(asio::io_context& context, std::function<void(const std::string&)> end,
                       std::function<void()> end_at_once)
    : context_(context),
      signals_(context, SIGINT, SIGTERM, SIGHUP),
      end_(std::move(end)),
      end_at_once_(std::move(end_at_once)) {
  wait();
}

void Interrupts::serve() {
  context_.run();
  if (heard_ == SIGINT && is_terminal(stderr)) std::fputs("\r\x1b[Kleanbridge: ended\n", stderr);
  sigset_t held;
  sigemptyset(&held);
  sigaddset(&held, SIGTERM);
  sigaddset(&held, SIGHUP);
  ::pthread_sigmask(SIG_BLOCK, &held, nullptr);
}

void Interrupts::drain(asio::awaitable<void> last) {
  draining_ = true;
  io::spawn(context_, then_stop(context_, std::move(last)));
}

void Interrupts::wait() {
  signals_.async_wait([this](boost::system::error_code error, int signal) {
    if (error) return;
    if (std::exchange(heard_, signal) || draining_) return end_at_once_();
    wait();
    end_("signal " + std::to_string(signal));
  });
}

bool run_work(asio::io_context& context, asio::awaitable<void> work, std::shared_ptr<io::CancelSource> cancel,
              std::function<void()> kill) {
  const auto end_at_once = [&] {
    if (kill) kill();
    context.stop();
  };
  const Interrupts interrupts(
      context, [&](const std::string&) { cancel ? cancel->cancel() : end_at_once(); }, end_at_once);
  const auto failure = std::make_shared<std::exception_ptr>();
  const auto guard = [](asio::awaitable<void> guarded,
                        std::shared_ptr<std::exception_ptr> thrown) -> asio::awaitable<void> {
    try {
      co_await std::move(guarded);
    } catch (...) {
      *thrown = std::current_exception();
    }
  };
  io::spawn(context, then_stop(context, guard(std::move(work), failure)));
  context.run();
  if (*failure) std::rethrow_exception(*failure);
  return !interrupts.heard();
}

}  // namespace leanbridge::app
