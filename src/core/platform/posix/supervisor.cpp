// The supervisor of a system that gives orphans to another process and tells nobody of a parent's death. A
// pair of connected sockets ties it to the bridge: each side sees the other's end. It looks at the processes
// now and then, and remembers those below it, so that it finds them when their parents have gone.

#include "core/platform/supervisor.hpp"

#include "core/platform/processes.hpp"
#include "core/platform/supervised_child.hpp"
#include <fcntl.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <utility>

namespace leanbridge::platform {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLifeline = 3;  // the supervisor's end of the pair
constexpr auto kFirstLook = std::chrono::milliseconds(100), kMaxLook = std::chrono::milliseconds(4000);
constexpr auto kLookWhileEnding = std::chrono::milliseconds(100);
constexpr auto kTimeToDie = std::chrono::seconds(10);  // after SIGKILL; gigabytes take a while to free
constexpr double kSlack = 2.5;                         // seconds; ages are whole ones

volatile std::sig_atomic_t told_to_end = 0;  // the signal

void note_signal(int signal) {
  if (signal != SIGCHLD) told_to_end = signal;
}

double now_s() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// The processes below this one, also those whose parents have ended since they were seen.
class Tree {
 public:
  explicit Tree(pid_t child) : started_{{child, now_s()}} {}

  /// The pids of the living ones, in no particular order.
  std::vector<pid_t> look() {
    const auto all = list_processes();
    if (all.empty()) {  // no process can be listed, not even this one
      std::erase_if(started_, [](const auto& each) { return ::kill(each.first, 0) != 0; });
      return pids();
    }
    const double now = now_s();
    std::map<pid_t, double> living;
    std::set<pid_t> leaders = {::getpgrp()};
    for (const ListedProcess& one : all) {
      const auto known = started_.find(one.pid);
      if (known == started_.end() || std::abs(now - one.age_s - known->second) > kSlack) continue;
      living.insert(*known);
      if (one.group == one.pid) leaders.insert(one.pid);
    }
    const auto is_ours = [&](const ListedProcess& one) {
      return one.parent == ::getpid() || living.contains(one.parent) || leaders.contains(one.group);
    };
    for (bool found = true; found;) {
      found = false;
      for (const ListedProcess& one : all)
        if (one.pid != ::getpid() && !living.contains(one.pid) && is_ours(one))
          found = living.emplace(one.pid, now - one.age_s).second;
    }
    started_ = std::move(living);
    return pids();
  }

  /// Kills all. A stopped process starts no other, so none is missed between looking and killing.
  void kill() {
    const auto until = Clock::now() + kTimeToDie;
    for (std::vector<pid_t> pids = look(); !pids.empty() && Clock::now() < until; pids = look()) {
      for (std::size_t before = 0; before < pids.size(); pids = look()) {
        before = pids.size();
        for (const pid_t pid : pids) ::kill(pid, SIGSTOP);
      }
      for (const pid_t pid : pids) ::kill(pid, SIGKILL);
      while (::waitpid(-1, nullptr, WNOHANG) > 0) continue;
    }
  }

 private:
  std::vector<pid_t> pids() const {
    std::vector<pid_t> pids;
    for (const auto& [pid, started] : started_) pids.push_back(pid);
    return pids;
  }

  std::map<pid_t, double> started_;  // in seconds of the clock
};

// Waits until a signal comes, the bridge has ended, or the time is over.
void wait_until(Clock::time_point end, const sigset_t& unblocked) {
  const auto left = std::max(std::chrono::nanoseconds(0),
                             std::chrono::duration_cast<std::chrono::nanoseconds>(end - Clock::now()));
  const timespec time = {static_cast<time_t>(left.count() / 1'000'000'000),
                         static_cast<long>(left.count() % 1'000'000'000)};
  fd_set lifeline;
  FD_ZERO(&lifeline);
  if (told_to_end == 0) FD_SET(kLifeline, &lifeline);  // later it would only end the wait
  if (::pselect(kLifeline + 1, &lifeline, nullptr, nullptr, &time, &unblocked) > 0) told_to_end = SIGTERM;
}

// As on Linux: git removes its lock files, and Lake finishes its files.
void ask_to_end(Tree& tree, const sigset_t& unblocked) {
  for (const pid_t pid : tree.look()) ::kill(pid, SIGTERM);
  for (const auto until = Clock::now() + kTimeToEnd; Clock::now() < until;) {
    while (::waitpid(-1, nullptr, WNOHANG) > 0) continue;
    if (tree.look().empty()) return;
    wait_until(std::min(until, Clock::now() + kLookWhileEnding), unblocked);
  }
}

// Blocks the signals, which then arrive only while the supervisor waits. Returns the mask before.
sigset_t handle_signals() {
  sigset_t handled, previous;
  sigemptyset(&handled);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) {
    sigaddset(&handled, signal);
    struct sigaction action {};
    action.sa_handler = note_signal;
    ::sigaction(signal, &action, nullptr);
  }
  ::sigprocmask(SIG_BLOCK, &handled, &previous);
  return previous;
}

}  // namespace

Supervisor start_supervisor(Start wanted) {
  int pair[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return {-errno, -1};
  for (const int end : pair) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  wanted.descriptors.emplace_back(pair[1], kLifeline);
  Supervisor started{start(wanted), pair[0]};
  ::close(pair[1]);
  if (started.pid <= 0) ::close(std::exchange(started.ended, -1));
  return started;
}

pid_t collect_supervisor(pid_t pid, int& status) {
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0) return -1;
  if (info.si_pid != pid) return 0;
  // It leads a group, which keeps its number until it is reaped. If it was killed, this ends what is in it.
  ::kill(-pid, SIGKILL);
  return ::waitpid(pid, &status, WNOHANG);
}

int supervise(int parent_pid, char** argv) {
  const sigset_t unblocked = handle_signals();
  if (::getppid() != parent_pid || ::fcntl(kLifeline, F_SETFD, FD_CLOEXEC) != 0) return 1;
  close_descriptors(kLifeline + 1);
  const pid_t child = start_supervised(argv, unblocked, [] {});
  if (child < 0) {
    std::fprintf(stderr, "cannot fork: %s\n", std::strerror(errno));
    return 127;
  }
  drop_streams();

  Tree tree(child);
  auto pause = kFirstLook;
  for (auto next = Clock::now() + pause;;) {
    wait_until(next, unblocked);
    const int code = reap(child);
    if (code < 0 && told_to_end == 0) {
      if (Clock::now() < next) continue;
      tree.look();
      pause = std::min(2 * pause, kMaxLook);
      next = Clock::now() + pause;
      continue;
    }
    if (told_to_end != 0) ask_to_end(tree, unblocked);
    tree.kill();
    return code < 0 ? 128 + told_to_end : code;
  }
}

}  // namespace leanbridge::platform
