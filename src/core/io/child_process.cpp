#include "child_process.hpp"

#include "core/platform/files.hpp"
#include "core/platform/program.hpp"
#include "core/platform/supervisor.hpp"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <utility>

namespace leanbridge::io {

namespace {

constexpr std::size_t kStderrTail = 8u << 10;

struct Pipe {
  int ends[2] = {-1, -1};  // to read, to write
  bool open() { return platform::open_pipe(ends); }
  int take_read() { return std::exchange(ends[0], -1); }
  int take_write() { return std::exchange(ends[1], -1); }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
};

// Starts the supervisor in the child's folder and with its streams. It has a session of its own, without a
// terminal: Ctrl-C is for the bridge, which ends the tree in order, and a program that would ask for a
// password there fails instead of waiting for one.
Result<platform::Supervisor> start_supervisor(const ChildCommand& command, const Pipe& in, const Pipe& out,
                                              const Pipe& err) {
  platform::Start supervisor;
  supervisor.program = platform::this_program();
  supervisor.arguments = {supervisor.program, platform::kSuperviseCommand, std::to_string(::getpid())};
  supervisor.arguments.insert(supervisor.arguments.end(), command.argv.begin(), command.argv.end());
  supervisor.variables.emplace();
  for (const auto& [name, value] : command.environment) supervisor.variables->push_back(name + "=" + value);
  supervisor.directory = command.directory;
  supervisor.descriptors = {
      {in.ends[0], STDIN_FILENO}, {out.ends[1], STDOUT_FILENO}, {err.ends[1], STDERR_FILENO}};
  supervisor.default_signals = {SIGPIPE, SIGXFSZ};
  const platform::Supervisor started = platform::start_supervisor(std::move(supervisor));
  if (started.pid < 0)
    return fail(ErrorKind::LeanUnavailable, "Could not start a process for " + command.argv.front() + ": " +
                                                std::strerror(-started.pid) + ".");
  return started;
}

// Waits for the exit and reaps the process. A wake-up need not mean an exit: the reactor also wakes a wait
// whose descriptor has the number of a closed one with an event still queued. A blocking waitpid() would then
// stop the whole loop, so it does not wait.
asio::awaitable<void> collect(int pid, asio::posix::stream_descriptor exit,
                              std::function<void(int status)> on_exit) {
  for (;;) {
    boost::system::error_code error;
    co_await exit.async_wait(asio::posix::stream_descriptor::wait_read,
                             asio::redirect_error(asio::use_awaitable, error));
    int status = 0;
    const pid_t ended = platform::collect_supervisor(pid, status);
    if (ended == pid) co_return on_exit(status);
    if (ended < 0 || error) co_return;
  }
}

}  // namespace

Result<std::shared_ptr<ChildProcess>> ChildProcess::spawn(asio::io_context& context, ChildCommand command,
                                                          Events events) {
  Pipe in, out, err;
  if (!in.open() || !out.open() || !err.open())
    return fail(ErrorKind::Internal, "Could not open a pipe: the process is out of file descriptors.",
                "Close documents with lean_close, or raise the limit (ulimit -n).");

  std::error_code ignored;
  if (!std::filesystem::is_directory(command.directory, ignored))
    return fail(ErrorKind::LeanUnavailable, "Could not start " + command.argv.front() + " in " +
                                                command.directory.string() + ": there is no such folder.");
  const auto started = start_supervisor(command, in, out, err);
  if (!started) return tl::unexpected(started.error());
  const int pid = started->pid;
  const auto terminate = [pid] { ::kill(pid, SIGTERM); };
  if (started->ended < 0) {
    // It has hardly begun; when it dies, the kernel ends the processes that it has started.
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return fail(ErrorKind::Internal, "Could not watch a process for its end.",
                "leanbridge needs Linux 5.3 or newer, and free file descriptors (ulimit -n).");
  }
  auto child =
      attach(context, {in.take_write(), out.take_read(), err.take_read()}, pid, terminate, std::move(events));
  const auto on_exit = [weak = child->weak_from_this()](int status) {
    if (const auto self = weak.lock())
      self->ended(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
  };
  // This coroutine outlives the ChildProcess, since it alone reaps the supervisor.
  io::spawn(context, collect(pid, asio::posix::stream_descriptor(context, started->ended), on_exit));
  return child;
}

std::shared_ptr<ChildProcess> ChildProcess::attach(asio::io_context& context, Streams streams, int pid,
                                                   std::function<void()> terminate, Events events) {
  std::shared_ptr<ChildProcess> child(new ChildProcess);
  child->pid_ = pid;
  child->terminate_ = std::move(terminate);
  child->on_exit_ = std::move(events.on_exit);
  child->input_ = std::make_shared<OutgoingQueue>(asio::posix::stream_descriptor(context, streams.input));
  child->out_ = std::make_shared<asio::posix::stream_descriptor>(context, streams.output);
  child->err_ = std::make_shared<asio::posix::stream_descriptor>(context, streams.error);

  // The last reference may go while bytes wait to be delivered: they are dropped then.
  const std::weak_ptr<ChildProcess> weak = child;
  const auto give = [weak, on_stdout = events.on_stdout](std::string_view bytes) {
    const auto self = weak.lock();
    return self && on_stdout(bytes);
  };
  const auto end = [weak, on_end = events.on_stdout_end](const std::string&) {
    if (const auto self = weak.lock()) on_end();
  };
  io::spawn(context, read_to_end(child->out_, give, end));
  const auto keep_tail = [weak, hear = events.on_stderr](std::string_view bytes) {
    const auto self = weak.lock();
    if (!self) return false;
    if (hear) hear(bytes);
    self->stderr_tail_ += bytes;
    // Keep one byte more than is shown: that tells stderr_tail() to look for a line break.
    if (self->stderr_tail_.size() > 2 * kStderrTail)
      self->stderr_tail_.erase(0, self->stderr_tail_.size() - kStderrTail - 1);
    return true;
  };
  const auto stderr_ended = [weak, on_end = events.on_stderr_end](const std::string&) {
    if (const auto self = weak.lock(); self && on_end) on_end();
  };
  io::spawn(context, read_to_end(child->err_, keep_tail, stderr_ended));
  return child;
}

ChildProcess::~ChildProcess() {
  boost::system::error_code ignored;
  if (out_) out_->close(ignored);
  if (err_) err_->close(ignored);
  if (input_) input_->close();
  terminate();
}

void ChildProcess::terminate() {
  if (!exited_) terminate_();
}

void ChildProcess::ended(int exit_code) {
  const auto self = shared_from_this();
  exited_ = true;
  input_->close();  // what has outlived a supervisor that was killed reads to its end
  changed.notify_all();
  if (const auto once = std::exchange(on_exit_, nullptr)) once(exit_code);
}

std::string ChildProcess::stderr_tail() const {
  if (stderr_tail_.size() <= kStderrTail) return stderr_tail_;
  const std::size_t start = stderr_tail_.size() - kStderrTail;
  const std::size_t line = stderr_tail_.find('\n', start);
  return stderr_tail_.substr(line == std::string::npos ? start : line + 1);
}

}  // namespace leanbridge::io
