// leanbridge_faults: runs of scripts that work as agents do, against a Lean with faults, each from a seed.
// See docs/testing.md.

#include "core/base/log.hpp"
#include "world.hpp"
#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define LEANBRIDGE_LSAN 1
#endif
#endif

namespace leanbridge::faults {

namespace {

struct Settings {
  std::uint64_t first = 1;
  std::uint64_t count = 500;
  int jobs = 1;
  bool trace = false;
  std::string until;
};

// Names the run if it ends the process.
std::uint64_t g_seed = 0;

void tell_seed() {
  const std::string text = "\nThe process ended in the run of seed " + std::to_string(g_seed) + ".\n";
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

void on_crash(int signal) {
  tell_seed();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    count += !entry.path().empty();
  return count;
}

struct Outcome {
  std::vector<std::string> failures;
  std::uint64_t fingerprint = 0;
};

Outcome run_seed(Bench& bench, std::uint64_t seed, bool print, Tally& tally) {
  g_seed = seed;
  VirtualClock clock;
  Trace trace(print);
  const std::size_t descriptors = open_descriptors();
  {
    World world(bench, clock, trace, seed);
    world.run();
    tally.add(world.tally());
  }
  if (open_descriptors() != descriptors)
    trace.fail("descriptors: " + std::to_string(descriptors) + " before, " +
               std::to_string(open_descriptors()) + " after");
  return {trace.failures(), trace.fingerprint()};
}

bool leaks() {
#ifdef LEANBRIDGE_LSAN
  return __lsan_do_recoverable_leak_check() != 0;
#else
  return false;
#endif
}

void report(std::uint64_t seed, const Outcome& outcome) {
  std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), outcome.failures.front().c_str());
  std::fflush(stdout);
}

// Every tool is called or left out for a reason.
std::vector<std::string> tools_problems(const Bench& bench, std::uint64_t runs, const Tally& tally) {
  constexpr std::uint64_t kEnough = 50;  // this many runs call each of them
  std::vector<std::string> problems = bench.problems;
  if (runs < kEnough) return problems;
  for (const mcp::Tool& tool : bench.registry->tools())
    if (!tally.tools.contains(tool.name)) problems.push_back(tool.name + " was never called");
  return problems;
}

// What a job has done so far, in memory that outlives it in case it crashes.
struct Account {
  std::uint64_t done = 0;
  std::uint64_t failed = 0;
};

// Seeds first, first + stride, ...
void run_seeds(const Settings& settings, std::uint64_t offset, std::uint64_t stride, Account& account) {
  Bench bench;
  Tally tally;
  auto& [done, failed] = account;
  for (std::uint64_t i = offset; i < settings.count; i += stride, ++done) {
    const std::uint64_t seed = settings.first + i;
    Outcome outcome = run_seed(bench, seed, settings.trace, tally);
    // A run that cannot be repeated is useless: run the first ones twice.
    if (done < 5 && run_seed(bench, seed, settings.trace, tally).fingerprint != outcome.fingerprint)
      outcome.failures.emplace_back("runs differently the second time");
    if (done % 200 == 199 && leaks())
      outcome.failures.emplace_back("memory leaked in this run or in one of the 200 before it");
    if (outcome.failures.empty()) continue;
    ++failed;
    report(seed, outcome);
    if (!settings.until.empty() && outcome.failures.front().find(settings.until) != std::string::npos) return;
  }
  std::printf(
      "%llu runs: %d calls: %d whole answers, %d partial, %d errors, %d cancelled; %d starts of lake serve\n",
      static_cast<unsigned long long>(done), tally.calls, tally.answers, tally.partial, tally.errors,
      tally.cancelled, tally.starts);
  std::string kinds;
  for (const auto& [kind, count] : tally.error_kinds) kinds += " " + kind + " " + std::to_string(count);
  std::printf("errors:%s\n", kinds.c_str());
  std::fflush(stdout);
  for (const std::string& problem : tools_problems(bench, done, tally)) {
    std::printf("tools: %s\n", problem.c_str());
    failed = std::max<std::uint64_t>(failed, 1);
  }
}

// Several processes share the seeds. Seeds that a process has not reached count as failed, because nothing is
// known about them.
std::uint64_t run_jobs(const Settings& settings) {
  const auto jobs = static_cast<std::uint64_t>(std::max(1, settings.jobs));
  if (jobs == 1) {
    Account account;
    run_seeds(settings, 0, 1, account);
    return account.failed;
  }
  void* const memory =
      ::mmap(nullptr, jobs * sizeof(Account), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return settings.count;
  auto* const accounts = new (memory) Account[jobs];
  std::fflush(stdout);
  std::vector<pid_t> children;
  for (std::uint64_t job = 0; job < jobs; ++job) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      run_seeds(settings, job, jobs, accounts[job]);
      std::exit(0);
    }
    children.push_back(pid);
  }
  std::uint64_t good = 0;
  for (std::uint64_t job = 0; job < jobs; ++job) {
    int status = 0;
    if (children[job] > 0) ::waitpid(children[job], &status, 0);
    const auto [done, failed] = accounts[job];
    const std::uint64_t all = settings.count > job ? (settings.count - job + jobs - 1) / jobs : 0;
    if (done < all)
      std::printf("job %llu ended (status %d) with %llu of its %llu seeds run: the others count as failed\n",
                  static_cast<unsigned long long>(job), status, static_cast<unsigned long long>(done),
                  static_cast<unsigned long long>(all));
    else if (status != 0)
      std::printf("job %llu ended with status %d\n", static_cast<unsigned long long>(job), status);
    // What a sanitizer finds at the end belongs to no seed.
    good += done - failed - (done == all && status != 0 && done > failed ? 1 : 0);
  }
  ::munmap(memory, jobs * sizeof(Account));
  return settings.count - good;
}

int main(int argc, char** argv) {
  Settings settings;
  std::uint64_t seed = 0;
  CLI::App app("Runs of an agent-like script against a Lean with faults.");
  app.add_option("--seed", seed, "Run this one alone, and say what happens");
  app.add_option("--first", settings.first, "The first seed");
  app.add_option("--runs", settings.count, "How many seeds");
  app.add_option("--jobs", settings.jobs, "Processes that share them");
  app.add_option("--until", settings.until, "End with the first failure that says this");
  app.add_flag("--trace", settings.trace, "Say what happens in every run");
  CLI11_PARSE(app, argc, argv);
  if (seed != 0) {
    settings.first = seed;
    settings.count = 1;
    settings.trace = true;
  }
  ::signal(SIGPIPE, SIG_IGN);
  log::configure(settings.trace ? "debug" : "off", "");
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) ::signal(signal, on_crash);
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t failed = run_jobs(settings);
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%.1f s, %.1f ms a run\n", took, took * 1000 / static_cast<double>(settings.count));
  std::printf("%llu passed, %llu failed\n", static_cast<unsigned long long>(settings.count - failed),
              static_cast<unsigned long long>(failed));
  return failed == 0 ? 0 : 1;
}

}  // namespace

}  // namespace leanbridge::faults

int main(int argc, char** argv) {
  return leanbridge::faults::main(argc, argv);
}
