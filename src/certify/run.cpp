#include "run.hpp"

#include "leanbridge/text/untrusted.hpp"
#include "leanbridge/text/utf8.hpp"

#include <memory>
#include <optional>

namespace leanbridge::certify {

asio::awaitable<Result<RunResult>> run_program(const io::Spawn& spawn, io::ChildCommand command,
                                               std::size_t output_limit, io::CancelScope scope) {
  struct Running {
    RunResult result;
    int open = 2;
    std::optional<int> exit_code;
    io::Condition changed;
  };
  const auto running = std::make_shared<Running>();
  const auto stream_ended = [running] {
    --running->open;
    running->changed.notify_all();
  };
  io::ChildProcess::Events events;
  events.on_stdout = [running, output_limit](std::string_view bytes) {
    std::string& output = running->result.output;
    const std::size_t room = output_limit - output.size();
    running->result.output_cut = running->result.output_cut || bytes.size() > room;
    output += bytes.substr(0, room);
    return true;
  };
  events.on_stdout_end = stream_ended;
  events.on_stderr_end = stream_ended;
  events.on_exit = [running](int code) {
    running->exit_code = code;
    running->changed.notify_all();
  };
  asio::io_context& context = io::context_of(co_await asio::this_coro::executor);
  auto child = spawn(context, std::move(command), std::move(events));
  if (!child) co_return tl::unexpected(child.error());
  (*child)->input().close();
  const auto over = [&] { return running->exit_code && running->open == 0; };
  const io::WaitStatus end = co_await io::wait_until(running->changed, scope, over);
  if (end != io::WaitStatus::Ready) {
    (*child)->terminate();
    constexpr auto kLimit = std::chrono::minutes(1);  // a killed process that remains hangs in the kernel
    const auto exited = [&] { return running->exit_code.has_value(); };
    if (co_await io::wait_until(running->changed, io::CancelScope(kLimit), exited) != io::WaitStatus::Ready)
      co_return fail(ErrorKind::Internal, "A killed program does not end.");
  }
  if (end == io::WaitStatus::Cancelled) co_return call_cancelled();
  running->result.timed_out = end == io::WaitStatus::TimedOut;
  running->result.exit_code = running->exit_code.value_or(0);
  running->result.errors = (*child)->stderr_tail();
  co_return std::move(running->result);
}

std::string quotable(std::string_view printed) {
  constexpr std::size_t kMaxQuoted = 300;  // bytes
  const std::string line = text::cleaned_line(printed);
  return std::string(text::beginning_of(line, kMaxQuoted));
}

}  // namespace leanbridge::certify
