#include "leanbridge/io/process_tree.hpp"

#include <catch2/catch.hpp>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

using namespace leanbridge;

namespace {

/// A child that computes, or waits, until the end of the test.
class Child {
 public:
  explicit Child(bool computes) : pid_(::fork()) {
    if (pid_ != 0) return;
    for (volatile unsigned i = 0;;) {
      if (computes)
        i = i + 1;
      else
        ::pause();
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }
  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  int pid() const { return pid_; }

  /// Of a core, over some windows.
  double share() const {
    const double before = io::cpu_seconds(pid_);
    const auto began = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(4 * io::cpu_window());
    const double after = io::cpu_seconds(pid_);
    return (after - before) / std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }

 private:
  int pid_;
};

}  // namespace

TEST_CASE("a process that computes is told from one that waits", "[io][process]") {
  Child computing(true), waiting(false);
  CHECK(waiting.share() < 0.2);
  CHECK(computing.share() > 0.5);
  const int gone = computing.pid();
  computing.end();
  CHECK(io::cpu_seconds(gone) < 0);
}
