#include "leanbridge/io/child_process.hpp"

#include "leanbridge/io/supervisor.hpp"

#include <boost/process/v2/process.hpp>
#include <boost/process/v2/start_dir.hpp>
#include <boost/process/v2/stdio.hpp>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace leanbridge::io {

namespace process = boost::process::v2;

namespace {

constexpr std::size_t kStderrTail = 8u << 10;

struct Pipe {
  int read = -1;
  int write = -1;
  bool open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
  int take_read() { return std::exchange(read, -1); }
  int take_write() { return std::exchange(write, -1); }
  ~Pipe() {
    if (read >= 0) ::close(read);
    if (write >= 0) ::close(write);
  }
};

// Runs in the child between fork and exec: async-signal-safe calls only.
struct OwnGroup {
  template <class Launcher>
  boost::system::error_code on_exec_setup(Launcher&, const process::filesystem::path&, const char* const*) {
    ::setpgid(0, 0);  // Ctrl-C in a terminal is for the bridge, which ends the tree in order
    ::signal(SIGPIPE, SIG_DFL);
    ::signal(SIGXFSZ, SIG_DFL);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    return {};
  }
};

// Boost 1.81's own process_environment does not link: its header forgets to include its body.
class WholeEnvironment {
 public:
  explicit WholeEnvironment(const std::map<std::string, std::string>& environment) {
    for (const auto& [name, value] : environment) entries_.push_back(name + "=" + value);
    for (const std::string& entry : entries_) pointers_.push_back(entry.c_str());
    pointers_.push_back(nullptr);
  }
  WholeEnvironment(const WholeEnvironment&) = delete;
  WholeEnvironment& operator=(const WholeEnvironment&) = delete;

  template <class Launcher>
  boost::system::error_code on_setup(Launcher& launcher, const process::filesystem::path&,
                                     const char* const*) {
    launcher.env = pointers_.data();
    return {};
  }

 private:
  std::vector<std::string> entries_;
  std::vector<const char*> pointers_;
};

}  // namespace

namespace {

// Waits for the exit and collects the dead. Not by Boost's async_wait(): it takes any wake-up for the exit
// and then blocks in waitpid(). The reactor does wake a wait that nothing has happened to, when its
// descriptor has taken the place of one that was closed with an event still queued: a child that is started
// just as another one ends would stop the whole loop.
asio::awaitable<void> collect(int pid, asio::posix::stream_descriptor exit,
                              std::function<void(int status)> on_exit) {
  for (;;) {
    boost::system::error_code error;
    co_await exit.async_wait(asio::posix::stream_descriptor::wait_read,
                             asio::redirect_error(asio::use_awaitable, error));
    int status = 0;
    const pid_t ended = ::waitpid(pid, &status, WNOHANG);
    if (ended == pid) co_return on_exit(status);
    if (ended < 0 || error) co_return;
  }
}

}  // namespace

Result<std::shared_ptr<ChildProcess>> ChildProcess::spawn(asio::io_context& context, ChildCommand command,
                                                          Events events) {
  Pipe in, out, err;
  if (!in.open() || !out.open() || !err.open())
    return fail(ErrorKind::Internal, "No pipe could be opened: the process is out of file descriptors.",
                "Close documents with lean_close, or raise the limit (ulimit -n).");

  std::vector<std::string> arguments = {kSuperviseCommand, std::to_string(::getpid())};
  arguments.insert(arguments.end(), command.argv.begin(), command.argv.end());

  // Looked at here: Boost 1.81 leaves a zombie when a child fails between fork and exec.
  std::error_code ignored;
  if (!std::filesystem::is_directory(command.directory, ignored))
    return fail(ErrorKind::LeanUnavailable, "There is no folder " + command.directory.string() +
                                                " to start " + command.argv.front() + " in.");

  WholeEnvironment environment(command.environment);
  int pid = 0;
  try {
    process::process started(context, "/proc/self/exe", arguments,
                             process::process_stdio{in.read, out.write, err.write}, environment,
                             process::process_start_dir(command.directory.string()), OwnGroup{});
    pid = static_cast<int>(started.id());
    started.detach();  // its destructor would SIGKILL the supervisor before it has ended the tree
  } catch (const std::exception& error) {
    return fail(ErrorKind::LeanUnavailable,
                "The process for " + command.argv.front() + " was not started: " + error.what());
  }
  const auto terminate = [pid] { ::kill(pid, SIGTERM); };
  const int exit = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (exit < 0) {
    terminate();
    return fail(ErrorKind::Internal, "The end of a process cannot be waited for here.",
                "leanbridge needs Linux 5.3 or newer, and free file descriptors (ulimit -n).");
  }
  auto child =
      attach(context, {in.take_write(), out.take_read(), err.take_read()}, pid, terminate, std::move(events));
  const auto on_exit = [weak = child->weak_from_this()](int status) {
    if (const auto self = weak.lock())
      self->ended(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
  };
  // It goes on after ~ChildProcess: nothing else would collect the dead supervisor.
  asio::co_spawn(context, collect(pid, asio::posix::stream_descriptor(context, exit), on_exit),
                 asio::detached);
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

  // What was read already may be waiting its turn when the child is let go of: then nobody hears of it.
  const std::weak_ptr<ChildProcess> weak = child;
  const auto give = [weak, on_stdout = events.on_stdout](std::string_view bytes) {
    const auto self = weak.lock();
    return self && on_stdout(bytes);
  };
  const auto end = [weak, on_end = events.on_stdout_end](const std::string&) {
    if (const auto self = weak.lock()) on_end();
  };
  asio::co_spawn(context, read_to_end(child->out_, give, end), asio::detached);
  const auto keep_tail = [weak, hear = events.on_stderr](std::string_view bytes) {
    const auto self = weak.lock();
    if (!self) return false;
    if (hear) hear(bytes);
    self->stderr_tail_ += bytes;
    // One byte more than is shown, by which stderr_tail() knows that it must look for a line break.
    if (self->stderr_tail_.size() > 2 * kStderrTail)
      self->stderr_tail_.erase(0, self->stderr_tail_.size() - kStderrTail - 1);
    return true;
  };
  const auto stderr_ended = [weak, on_end = events.on_stderr_end](const std::string&) {
    if (const auto self = weak.lock(); self && on_end) on_end();
  };
  asio::co_spawn(context, read_to_end(child->err_, keep_tail, stderr_ended), asio::detached);
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
