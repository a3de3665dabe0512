#include "core/platform/supervisor.hpp"

#include "core/platform/processes.hpp"
#include "core/platform/supervised_child.hpp"
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

namespace leanbridge::platform {

namespace {

// Kills the whole tree. As a subreaper, the supervisor inherits the children of each process that it kills,
// so it kills its descendants until it has no children, whatever sessions and groups they have made. It
// signals all of them at once: a process with gigabytes takes a while to die, and the ones below it need not
// wait. The supervisor ends last, so that the tree always has an owner; on a busy machine that can be seconds
// after the bridge.
void kill_descendants() {
  for (;;) {
    for (int pid : descendants_of(::getpid())) ::kill(pid, SIGKILL);
    if (::waitpid(-1, nullptr, 0) < 0 && errno == ECHILD) return;
    while (::waitpid(-1, nullptr, WNOHANG) > 0) continue;
  }
}

// Asks the descendants to end and gives them some time: git removes its lock files, and Lake finishes its
// files. Signals that arrive meanwhile ask for the same and only end the sleep.
void ask_descendants_to_end(const sigset_t& signals) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point until = Clock::now() + kTimeToEnd;
  for (int pid : descendants_of(::getpid())) ::kill(pid, SIGTERM);
  for (;;) {
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) continue;
    if (ended < 0 && errno == ECHILD) return;
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(until - Clock::now());
    if (left.count() <= 0) return;
    const timespec time = {static_cast<time_t>(left.count() / 1'000'000'000), left.count() % 1'000'000'000};
    ::sigtimedwait(&signals, nullptr, &time);
  }
}

void die_with_the_supervisor() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

}  // namespace

Supervisor start_supervisor(Start wanted) {
  Supervisor started{start(wanted)};
  if (started.pid > 0) started.ended = static_cast<int>(::syscall(SYS_pidfd_open, started.pid, 0));
  return started;
}

pid_t collect_supervisor(pid_t pid, int& status) {
  return ::waitpid(pid, &status, WNOHANG);
}

int supervise(int parent_pid, char** argv) {
  sigset_t handled, previous;
  sigemptyset(&handled);
  for (int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&handled, signal);
  ::sigprocmask(SIG_BLOCK, &handled, &previous);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent_pid) return 1;  // the parent died before the call above

  // Libraries open sockets without close-on-exec; the child must not inherit them.
  close_descriptors(STDERR_FILENO + 1);

  const pid_t child = start_supervised(argv, previous, die_with_the_supervisor);
  if (child < 0) {
    std::fprintf(stderr, "cannot fork: %s\n", std::strerror(errno));
    return 127;
  }
  drop_streams();

  for (;;) {
    siginfo_t info;
    if (::sigwaitinfo(&handled, &info) < 0) continue;
    const bool told_to_end = info.si_signo != SIGCHLD;
    const int code = reap(child);
    if (code < 0 && !told_to_end) continue;
    if (told_to_end) ask_descendants_to_end(handled);
    kill_descendants();
    return code < 0 ? 128 + info.si_signo : code;
  }
}

}  // namespace leanbridge::platform
