#include "run_to_end.hpp"

#include "core/base/try.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace leanbridge::io {

namespace {

constexpr auto kDeathLimit = std::chrono::minutes(1);  // a killed process that stays longer hangs in the
                                                       // kernel

struct RunningProgram {
  ProgramEnd end;
  int open_streams = 2;
  std::optional<int> exit_code;
  Condition changed;

  void keep(std::string_view bytes, std::size_t limit) {
    const std::size_t room = limit - std::min(end.output.size(), limit);
    end.output_cut = end.output_cut || bytes.size() > room;
    end.output += bytes.substr(0, room);
  }
  void stream_ended(const std::function<void()>& hook) {
    if (hook) hook();
    --open_streams;
    changed.notify_all();
  }
};

ChildProcess::Events events_of(const std::shared_ptr<RunningProgram>& running, const ProgramRun& run) {
  ChildProcess::Events events;
  events.on_stdout = [running, limit = run.max_output, hook = run.on_stdout](std::string_view bytes) {
    if (hook)
      hook(bytes);
    else
      running->keep(bytes, limit);
    return true;
  };
  events.on_stderr = run.on_stderr;
  events.on_stdout_end = [running, hook = run.on_stdout_end] { running->stream_ended(hook); };
  events.on_stderr_end = [running, hook = run.on_stderr_end] { running->stream_ended(hook); };
  events.on_exit = [running](int code) {
    running->exit_code = code;
    running->changed.notify_all();
  };
  return events;
}

asio::awaitable<WaitStatus> wait_for_death(const std::shared_ptr<ChildProcess>& child) {
  return wait_until(child->changed, CancelScope(kDeathLimit), [child] { return child->exited(); });
}

asio::awaitable<void> hold_until_death(std::shared_ptr<ChildProcess> child, std::shared_ptr<void> held) {
  co_await wait_for_death(child);
  held.reset();
}

}  // namespace

asio::awaitable<Result<ProgramEnd>> run_to_end(ProgramRun run, CancelScope scope) {
  asio::io_context& context = context_of(co_await asio::this_coro::executor);
  const auto running = std::make_shared<RunningProgram>();
  auto events = events_of(running, run);
  CO_TRY(const auto child, run.spawn(context, std::move(run.command), std::move(events)));
  if (!run.input.empty()) child->input().send(std::move(run.input));
  child->input().close_when_drained();
  const WaitStatus status = co_await wait_until(
      running->changed, scope, [&] { return running->exit_code && running->open_streams == 0; });
  if (status != WaitStatus::Ready) {
    child->terminate();
    if (run.at_scope_end == ProgramRun::AtScopeEnd::Return)
      spawn(context, hold_until_death(child, std::move(run.held)));
    else if (co_await wait_for_death(child) != WaitStatus::Ready)
      co_return fail(ErrorKind::Internal, "A killed program does not end.");
  }
  if (status == WaitStatus::Cancelled) co_return call_cancelled();
  ProgramEnd end = std::move(running->end);
  end.timed_out = status == WaitStatus::TimedOut;
  end.exit_code = running->exit_code.value_or(0);
  end.errors = child->stderr_tail();
  co_return end;
}

}  // namespace leanbridge::io
