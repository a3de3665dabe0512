#include "core/platform/processes.hpp"

#include "core/base/files.hpp"
#include "support/loop.hpp"
#include <catch2/catch.hpp>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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

  /// Whether it has nothing to do. Until then it computes a little: the pages that it shares with us after
  /// the fork are copied when they are written to.
  bool sleeps() const {
    const std::string stat =
        read_regular_file("/proc/" + std::to_string(pid_) + "/stat", std::size_t{1} << 16).value_or("");
    return stat.find(") S ") != std::string::npos;
  }

 private:
  int pid_;
};

template <class Predicate>
bool happens(Predicate predicate) {
  const auto deadline = std::chrono::steady_clock::now() + leanbridge::test::kLimit;
  for (; !predicate(); std::this_thread::sleep_for(platform::cpu_window()))
    if (std::chrono::steady_clock::now() > deadline) return false;
  return true;
}

}  // namespace

// However loaded the machine is: one child gets on at some time, and the other never does.
TEST_CASE("a process that computes is told from one that waits", "[io][process]") {
  constexpr double kComputed = 0.5, kNothing = 0.1;  // seconds
  Child computing(true), waiting(false);
  REQUIRE(happens([&] { return waiting.sleeps(); }));
  const double before = platform::cpu_seconds(computing.pid()), slept = platform::cpu_seconds(waiting.pid());
  REQUIRE(before >= 0);
  REQUIRE(slept >= 0);
  CHECK(happens([&] { return platform::cpu_seconds(computing.pid()) >= before + kComputed; }));
  std::this_thread::sleep_for(4 * platform::cpu_window());
  CHECK(platform::cpu_seconds(waiting.pid()) <= slept + kNothing);
  const int gone = computing.pid();
  computing.end();
  CHECK(platform::cpu_seconds(gone) < 0);
}

TEST_CASE("a child is below this process until it has ended", "[platform][process]") {
  Child child(false);
  const auto below = platform::descendants_of(::getpid());
  CHECK(std::ranges::find(below, child.pid()) != below.end());
  const int gone = child.pid();
  child.end();
  CHECK(std::ranges::count(platform::descendants_of(::getpid()), gone) == 0);
  CHECK(platform::age_seconds(gone) < 0);
  CHECK(platform::processor_seconds(gone) < 0);
  CHECK(platform::process_info(gone).arguments.empty());
}

TEST_CASE("of several processes each is described, in the order asked for", "[platform][process]") {
  Child first(false), second(false), third(false);
  const int gone = second.pid();
  second.end();
  const auto infos = platform::process_infos({third.pid(), gone, first.pid()});
  REQUIRE(infos.size() == 3);
  CHECK(std::vector{infos[0].pid, infos[1].pid, infos[2].pid} == std::vector{third.pid(), gone, first.pid()});
  for (const auto* const living : {&infos[0], &infos[2]}) {
    CHECK(living->arguments == platform::process_info(::getpid()).arguments);
    CHECK(living->resident_bytes > 0);
  }
  CHECK(infos[1].arguments.empty());
  CHECK(infos[1].resident_bytes == 0);
  CHECK(platform::process_infos({}).empty());
  std::vector<int> below;
  for (const auto& info : platform::descendants(::getpid())) below.push_back(info.pid);
  CHECK(std::ranges::count(below, first.pid()) == 1);
  CHECK(std::ranges::count(below, third.pid()) == 1);
}

TEST_CASE("a process has one start, until it has ended", "[platform][process]") {
  Child child(false);
  const std::int64_t start = platform::started_at(child.pid());
  CHECK(start > 0);
  CHECK(platform::started_at(child.pid()) == start);
  const int gone = child.pid();
  ::kill(gone, SIGKILL);
  CHECK(happens([&] { return platform::started_at(gone) < 0; }));  // though nobody has waited for it
  child.end();
  CHECK(platform::started_at(gone) < 0);
}

TEST_CASE("this process has arguments, memory and an age", "[platform][process]") {
  const platform::ProcessInfo own = platform::process_info(::getpid());
  CHECK(own.pid == ::getpid());
  REQUIRE_FALSE(own.arguments.empty());
  CHECK(own.arguments.front().find("leanbridge_unit") != std::string::npos);
  CHECK(own.resident_bytes > 1'000'000);
  CHECK(platform::own_resident_bytes() > 1'000'000);
  CHECK(platform::processor_seconds(::getpid()) >= 0);
  const double age = platform::age_seconds(::getpid());
  CHECK(age >= 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  CHECK(platform::age_seconds(::getpid()) >= age + 0.9);
}
