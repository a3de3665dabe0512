#include "one_call.hpp"

#include "output.hpp"
#include <boost/asio/signal_set.hpp>
#include <signal.h>

namespace leanbridge::app {

using nlohmann::json;

namespace {

class OneCall {
 public:
  OneCall(Runtime& runtime, const mcp::Tool& tool, json arguments, Preparation before)
      : runtime_(runtime),
        tool_(tool),
        arguments_(std::move(arguments)),
        before_(std::move(before)),
        signals_(runtime.context(), SIGINT, SIGTERM) {
    const auto timeout_s = wire::read<mcp::WaitParams>(arguments_).timeout_s;
    const double seconds = timeout_s.value_or(runtime.options().timeout_s);
    limit_ = std::chrono::duration_cast<io::Clock::duration>(std::chrono::duration<double>(seconds));
    call_ = std::make_shared<mcp::Call>(mcp::Call{io::CancelScope(limit_), timeout_s.has_value(), {}});
  }

  Result<json> run() {
    wait_for_signal();
    asio::co_spawn(runtime_.context(), answer(), asio::detached);
    runtime_.context().run();
    return std::move(answer_);
  }
  bool interrupted() const { return interrupted_; }

 private:
  asio::awaitable<void> answer() {
    if (before_) co_await before_(call_->scope.cancel);
    if (!interrupted_) {
      call_->scope = io::CancelScope(limit_, call_->scope.cancel);  // from now on
      asio::co_spawn(runtime_.context(), show_progress(), asio::detached);
      answer_ = co_await mcp::run(&tool_, call_, std::move(arguments_));
    }
    call_->scope.cancel->cancel();  // ends the progress, too
    co_await runtime_.workspace().stop(kStopGrace);
    runtime_.context().stop();
  }

  asio::awaitable<void> show_progress() {
    ProgressLine line;
    for (;;) {
      const io::CancelScope scope(std::chrono::hours(24), call_->scope.cancel);
      if (co_await io::sleep_for(std::chrono::milliseconds(500), scope) == io::WaitStatus::Cancelled)
        co_return;
      if (!call_->progress) continue;
      if (const auto progress = call_->progress()) line.show(progress->message);
    }
  }

  void wait_for_signal() {
    signals_.async_wait([this](boost::system::error_code error, int) {
      if (error) return;
      if (std::exchange(interrupted_, true)) {  // asked twice: no more patience
        runtime_.workspace().kill();
        runtime_.context().stop();
        return;
      }
      call_->scope.cancel->cancel();
      wait_for_signal();
    });
  }

  Runtime& runtime_;
  const mcp::Tool& tool_;
  json arguments_;
  Preparation before_;
  asio::signal_set signals_;
  io::Clock::duration limit_{};
  std::shared_ptr<mcp::Call> call_;
  Result<json> answer_ = fail(ErrorKind::Cancelled, "The call was interrupted.");
  bool interrupted_ = false;
};

}  // namespace

Result<json> run_one(Runtime& runtime, const mcp::Tool& tool, json arguments, bool& interrupted,
                     Preparation before) {
  OneCall one(runtime, tool, std::move(arguments), std::move(before));
  auto answer = one.run();
  interrupted = one.interrupted();
  return answer;
}

}  // namespace leanbridge::app
