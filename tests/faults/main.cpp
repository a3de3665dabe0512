// leanbridge_faults: runs of an agent-like script against a Lean with faults, each from a seed. See
// docs/testing.md.

#include "leanbridge/base/log.hpp"

#include "world.hpp"
#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <signal.h>
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
};

// For a run that ends the process: which one it was.
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

// Seeds first, first + stride, ...; the number of those that failed.
int run_seeds(const Settings& settings, std::uint64_t offset, std::uint64_t stride) {
  Bench bench;
  Tally tally;
  int failed = 0;
  std::uint64_t done = 0;
  for (std::uint64_t i = offset; i < settings.count; i += stride, ++done) {
    const std::uint64_t seed = settings.first + i;
    const Outcome outcome = run_seed(bench, seed, settings.trace, tally);
    if (!outcome.failures.empty()) {
      ++failed;
      report(seed, outcome);
    }
    // A run that cannot be repeated is of no use: the beginning is run twice.
    if (done < 5 && run_seed(bench, seed, settings.trace, tally).fingerprint != outcome.fingerprint) {
      ++failed;
      report(seed, {{"runs differently the second time"}, 0});
    }
    if (done % 200 == 199 && leaks()) {
      ++failed;
      report(seed, {{"memory leaked in this run or in one of the 200 before it"}, 0});
    }
  }
  std::printf(
      "%llu runs: %d calls: %d whole answers, %d partial, %d errors, %d cancelled; %d starts of lake serve\n",
      static_cast<unsigned long long>(done), tally.calls, tally.answers, tally.partial, tally.errors,
      tally.cancelled, tally.starts);
  std::string kinds;
  for (const auto& [kind, count] : tally.error_kinds) kinds += " " + kind + " " + std::to_string(count);
  std::printf("errors:%s\n", kinds.c_str());
  std::fflush(stdout);
  return failed;
}

// Several processes share the seeds.
int run_jobs(const Settings& settings) {
  if (settings.jobs <= 1) return run_seeds(settings, 0, 1);
  std::fflush(stdout);
  std::vector<pid_t> children;
  const auto jobs = static_cast<std::uint64_t>(settings.jobs);
  for (std::uint64_t job = 0; job < jobs; ++job) {
    const pid_t pid = ::fork();
    if (pid == 0) std::exit(std::min(100, run_seeds(settings, job, jobs)));
    children.push_back(pid);
  }
  int failed = 0;
  for (const pid_t pid : children) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    failed += WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }
  return failed;
}

int main(int argc, char** argv) {
  Settings settings;
  std::uint64_t seed = 0;
  CLI::App app("Runs of an agent-like script against a Lean with faults.");
  app.add_option("--seed", seed, "Run this one alone, and say what happens");
  app.add_option("--first", settings.first, "The first seed");
  app.add_option("--runs", settings.count, "How many seeds");
  app.add_option("--jobs", settings.jobs, "Processes that share them");
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
  const int failed = run_jobs(settings);
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%.1f s, %.1f ms a run\n", took, took * 1000 / static_cast<double>(settings.count));
  std::printf("%llu passed, %d failed\n",
              static_cast<unsigned long long>(settings.count) - static_cast<unsigned long long>(failed),
              failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace

}  // namespace leanbridge::faults

int main(int argc, char** argv) {
  return leanbridge::faults::main(argc, argv);
}
