#include "supervisor.hpp"

#include "process_tree.hpp"
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace leanbridge::io {

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

int exit_code(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// The child's exit code, or -1 while it runs. Also reaps orphans that have ended.
int reap(pid_t child) {
  int status = 0;
  int code = -1;
  for (pid_t pid; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;)
    if (pid == child) code = exit_code(status);
  return code;
}

// Does what execvp() does, but a file that is not a program is an error: execvp() would hand it to a shell.
void execute(char** argv) {
  const std::string program = argv[0];
  if (program.find('/') != std::string::npos) {
    ::execv(argv[0], argv);
    return;
  }
  const char* const path = std::getenv("PATH");
  std::string_view folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  int error = ENOENT;
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
    if (folder.empty()) continue;
    ::execv((std::string(folder) + "/" + program).c_str(), argv);
    if (errno != ENOENT && errno != ENOTDIR) error = errno;
  }
  errno = error;
}

pid_t start(char** argv, const sigset_t& previous_mask) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::sigprocmask(SIG_SETMASK, &previous_mask, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  execute(argv);
  std::fprintf(stderr, "cannot start %s: %s%s\n", argv[0], std::strerror(errno),
               errno == ENOEXEC ? " (a script needs #! and its interpreter in the first line)" : "");
  std::_Exit(127);
}

}  // namespace

int supervise(int parent_pid, char** argv) {
  sigset_t handled, previous;
  sigemptyset(&handled);
  for (int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&handled, signal);
  ::sigprocmask(SIG_BLOCK, &handled, &previous);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent_pid) return 1;  // the parent died before the call above

  // Libraries open sockets without close-on-exec; the child must not inherit them.
  ::close_range(STDERR_FILENO + 1, ~0U, 0);

  const pid_t child = start(argv, previous);
  if (child < 0) {
    std::fprintf(stderr, "cannot fork: %s\n", std::strerror(errno));
    return 127;
  }
  // Close our copies of the streams: while we hold them, the bridge does not see them end.
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, stream);

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

}  // namespace leanbridge::io
